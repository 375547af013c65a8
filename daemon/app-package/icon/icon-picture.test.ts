import { describe, expect, test } from 'vitest';
import { pngChunk, pngPicture, svgPicture } from '../../testing/apps/pictures.ts';
import { iconPicture, MAX_ICON_BYTES } from './icon-picture.ts';

const svg = (text: string) => iconPicture(Buffer.from(text));
const refused = (refusal: string) => ({ refusal });
const OUTSIDE = 'refers to something outside of it';
const NESTED = 'has a clip path within another one';

/** Clip paths of ten shapes, each clipped by the next one: a browser draws a million shapes. */
const nestedClips = (clippedBy: (id: string) => string) =>
  Array.from(
    { length: 6 },
    (_, level) =>
      `<clipPath id="c${level}">${`<path ${clippedBy(`c${level + 1}`)} d="M0 0h9"/>`.repeat(10)}</clipPath>`,
  ).join('');

describe('an SVG is an icon', () => {
  test.each<[string, string]>([
    ['of shapes', svgPicture()],
    ['with a prolog and a comment', `<?xml version="1.0" encoding="UTF-8"?>\n<!-- A sun -->\n${svgPicture()}`],
    ['with a byte order mark', `\uFEFF${svgPicture()}`],
    ['without anything in it', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    [
      'with a document type',
      `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">${svgPicture()}`,
    ],
    [
      'with gradients that refer to each other',
      svgPicture(
        '<defs><linearGradient id="a"><stop offset="1"/></linearGradient><linearGradient id="b" xlink:href = "#a"/></defs><path fill="url(#b)" d="M0 0h9"/>',
      ),
    ],
    [
      'with a style for dark pages',
      svgPicture('<style>@media (prefers-color-scheme: dark) { .a { fill: url( "#b" ) } }</style>'),
    ],
    ['with an address of its own part in quotes', svgPicture('<g fill="url(&quot;#b&quot;)"/>')],
    ['with the path of a drawing program', svgPicture('<sodipodi:namedview docname="C:\\Users\\ann\\icon.svg"/>')],
    [
      'with clip paths, one of them by a style',
      svgPicture(
        '<style>.a { clip-path: url(#c) }</style><clipPath id="c"><rect width="9" height="9"/></clipPath><g class="a"/>',
      ),
    ],
    [
      'with several clip paths',
      svgPicture(
        '<clipPath id="a"><path d="M0 0h9"/></clipPath><clipPath id="b"><path d="M0 0h9"/></clipPath><g clip-path="url(#a)"><g clip-path="url(#b)"/></g>',
      ),
    ],
    ['with a style as character data', svgPicture('<style><![CDATA[ .a { fill: red } ]]></style><!-- Layer 1 -->')],
    ['with the notes of a drawing program', svgPicture('<sodipodi:namedview/><metadata><rdf:RDF/></metadata><g/>')],
  ])('%s', (_, text) => {
    expect(svg(text)).toEqual({ type: 'image/svg+xml', bytes: Buffer.from(text) });
  });
});

test.each<[string, string, string]>([
  ['a script', svgPicture('<script>alert(1)</script>'), 'has a script'],
  ['a handler', svgPicture('<g onload = "alert(1)"/>'), 'has a script'],
  ['an animation', svgPicture('<rect><animate attributeName="x"/></rect>'), 'is animated'],
  ['an animation in its style', svgPicture('<style>rect { animation: turn 1s }</style>'), 'is animated'],
  [
    'an animation of a browser of its own',
    svgPicture('<style>@-webkit-keyframes a {} g { animation/**/: a 1s }</style>'),
    'is animated',
  ],
  [
    'an animation that is split',
    svgPicture('<style>@key<![CDATA[frames a {}]]> g { animation/**/: a 1s }</style>'),
    'is animated',
  ],
  ['a style that a comment splits', svgPicture('<style>@im<!-- -->port "a.css"</style>'), OUTSIDE],
  ['a style that an instruction splits', svgPicture('<style>@im<?a?>port "a.css"</style>'), OUTSIDE],
  [
    'a split that begins in character data',
    svgPicture('<style><![CDATA[<!--]]>@im<!-- -->port "a.css"</style>'),
    OUTSIDE,
  ],
  [
    'a split that begins in its document type',
    `<!DOCTYPE svg SYSTEM "<!--">${svgPicture('<style>@im<!-- -->port "a.css"</style>')}`,
    'has declarations in its document type',
  ],
  ['clip paths within each other', svgPicture(nestedClips((id) => `clip-path="url(#${id})"`)), NESTED],
  ['the same in escapes', svgPicture(nestedClips((id) => `style="cl\\69p-path:url(#${id})"`)), NESTED],
  ['the same by a style', svgPicture(`<style>path{clip-path:url(#c1)}</style>${nestedClips(() => '')}`), NESTED],
  [
    'the same from the elements around them',
    svgPicture(
      nestedClips(() => 'style="all:inherit"').replaceAll(
        /<clipPath.*?<\/clipPath>/g,
        '<g clip-path="url(#c1)">$&</g>',
      ),
    ),
    NESTED,
  ],
  [
    'a clip path that seems to end',
    svgPicture('<clipPath id="a"><title><![CDATA[</clipPath>]]></title><path clip-path="url(#b)"/></clipPath>'),
    NESTED,
  ],
  [
    'a large clip path for many shapes',
    svgPicture(
      `<clipPath id="a"><path d="${'M0 0h9'.repeat(5_000)}"/></clipPath>${'<g clip-path="url(#a)"/>'.repeat(2_000)}`,
    ),
    'has clip paths that take too long to draw',
  ],
  [
    'a picture from elsewhere',
    svgPicture('<image href="https://example.org/a.png"/>'),
    'has an element <image>, which is no plain shape',
  ],
  ['shapes that multiply', svgPicture('<g id="a"/><use href="#a"/>'), 'has an element <use>, which is no plain shape'],
  [
    'a page in it',
    svgPicture('<foreignObject><iframe/></foreignObject>'),
    'has an element <foreignObject>, which is no plain shape',
  ],
  [
    'an element under another name',
    svgPicture('<é:use xmlns:é="http://www.w3.org/2000/svg"/>'),
    'has an element <é:use>, which is no plain shape',
  ],
  [
    'shapes under the prefix of notes',
    svgPicture('<cc:g id="a" xmlns:cc="http://www.w3.org/2000/svg"/><cc:use href="#a"/>'),
    'has an element <cc:g>, which is no plain shape',
  ],
  [
    'a namespace written as references to characters',
    svgPicture('<dc:use xmlns:dc="http://purl.org/dc/elements/1.1&#47;"/>'),
    'has an element <dc:use>, which is no plain shape',
  ],
  ['a fill from elsewhere', svgPicture('<g fill="url(https://example.org/#a)"/>'), OUTSIDE],
  ['a gradient from elsewhere', svgPicture('<linearGradient href="b.svg#a"/>'), OUTSIDE],
  ['a style from elsewhere', svgPicture('<style>@import "a.css";</style>'), OUTSIDE],
  ['a style sheet from elsewhere', `<?xml-stylesheet href="https://example.org/a.css"?>${svgPicture()}`, OUTSIDE],
  ['a set of pictures', svgPicture('<style>a{x:image-set("a.png" 1x)}</style>'), OUTSIDE],
  ['an address in references to characters', svgPicture('<g fill="&#x000075;&#114;l(a.svg)"/>'), OUTSIDE],
  ['an address in escapes of a style', svgPicture('<style>g{fill:\\75 r\\l(a.svg)}</style>'), OUTSIDE],
  ['a style sheet in escapes', svgPicture('<style>@\\000069mport "a.css"</style>'), OUTSIDE],
  ['an animation in references to characters', svgPicture('<g style="anim&#97;tion: a 1s"/>'), 'is animated'],
  ['a reference to no character', svgPicture('<g fill="url(&#x7fffffff;a)"/>'), OUTSIDE],
  [
    'entities that multiply',
    `<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY c "&b;&b;&b;">]>${svgPicture('<desc>&c;</desc>')}`,
    'declares entities',
  ],
  ['entities', `<!DOCTYPE svg [<!ENTITY a "aaaa">]>${svgPicture('<title>&a;</title>')}`, 'declares entities'],
  [
    'no namespace',
    '<svg viewBox="0 0 9 9"/>',
    'has no xmlns="http://www.w3.org/2000/svg", without which no browser shows it',
  ],
  ['a page around it', `<html>${svgPicture()}</html>`, 'is neither an SVG nor a PNG picture'],
  ['nothing', '', 'is neither an SVG nor a PNG picture'],
  ['words', 'no picture', 'is neither an SVG nor a PNG picture'],
  ['a page', '<!doctype html><title>icon.png</title>', 'is neither an SVG nor a PNG picture'],
  ['another format', 'GIF89a', 'is neither an SVG nor a PNG picture'],
])('a file with %s is refused', (_, text, refusal) => {
  expect(svg(text)).toEqual(refused(refusal));
});

test('spaces without end in an address take no time', () => {
  expect(svg(svgPicture(`<style>url(${' '.repeat(250_000)})</style>`))).toEqual(refused(OUTSIDE));
});

test.each(['<!--', '<![CDATA[', '<?', '<!DOCTYPE', '<!DOCTYPE svg PUBLIC "', '<clipPath', '<style>', '<!-- -->'])(
  'a file full of %s is judged at once',
  (mark) => {
    const size = MAX_ICON_BYTES - 1_000;
    const begin = performance.now();
    for (const filler of [mark, `${mark} `]) svg(svgPicture(filler.repeat(Math.floor(size / filler.length))));
    expect(performance.now() - begin).toBeLessThan(2_000);
  },
);

test('an SVG that is not in UTF-8 is refused: a browser could read something else in it', () => {
  expect(iconPicture(Buffer.from(svgPicture(), 'utf16le'))).toEqual(refused('is neither an SVG nor a PNG picture'));
});

test('a PNG is an icon up to 1024 × 1024 pixels', () => {
  for (const bytes of [pngPicture(), pngPicture({ width: 1024, height: 1024 })]) {
    expect(iconPicture(bytes)).toEqual({ type: 'image/png', bytes });
  }
});

const png = pngPicture();
/** All after the header. */
const rest = png.subarray(33);
const page = Buffer.from('<!doctype html><script>alert(1)</script>');
/** A picture whose first chunk after the header states another length. */
function withLength(length: number): Buffer {
  const picture = pngPicture({ chunks: ['tEXt'] });
  picture.writeUInt32BE(length, 33);
  return picture;
}

test('the names of chunks count where chunks begin, not within the content of others', () => {
  const comment = pngChunk('tEXt', Buffer.from('acTL IHDR IEND'));
  const picture = Buffer.concat([png.subarray(0, 33), comment, rest]);
  expect(iconPicture(picture)).toEqual({ type: 'image/png', bytes: picture });
});

test.each<[string, Buffer, string]>([
  [
    'is enormous when it is unpacked',
    pngPicture({ width: 50_000, height: 50_000 }),
    'has 50000 × 50000 pixels, more than 1024 × 1024',
  ],
  ['is wider than allowed', pngPicture({ width: 1025 }), 'has 1025 × 96 pixels, more than 1024 × 1024'],
  ['has no width', pngPicture({ width: 0 }), 'is a damaged PNG picture'],
  ['ends in its header', pngPicture().subarray(0, 20), 'is a damaged PNG picture'],
  ['ends after its header', pngPicture().subarray(0, 33), 'is a damaged PNG picture'],
  ['ends before its end', pngPicture().subarray(0, -12), 'is a damaged PNG picture'],
  ['has no pixels', Buffer.concat([png.subarray(0, 33), pngChunk('IEND')]), 'is a damaged PNG picture'],
  ['is a page behind the signature', Buffer.concat([png.subarray(0, 8), page]), 'is a damaged PNG picture'],
  ['is followed by a page', Buffer.concat([png, page]), 'is a damaged PNG picture'],
  [
    'begins with another chunk',
    Buffer.concat([png.subarray(0, 8), pngChunk('tEXt'), rest]),
    'is a damaged PNG picture',
  ],
  ['has a second header', pngPicture({ chunks: ['IHDR'] }), 'is a damaged PNG picture'],
  ['has a short header', Buffer.concat([png.subarray(0, 8), pngChunk('IHDR'), rest]), 'is a damaged PNG picture'],
  ['states a length beyond its end', withLength(0xffff_ffff), 'is a damaged PNG picture'],
  ['states a length that hides its pixels', withLength(12), 'is a damaged PNG picture'],
  ['moves', pngPicture({ chunks: ['acTL'] }), 'is animated'],
  ['has the second picture of an animation', pngPicture({ chunks: ['fcTL', 'fdAT'] }), 'is animated'],
  ['moves after its pixels', Buffer.concat([png.subarray(0, -12), pngChunk('acTL'), pngChunk('IEND')]), 'is animated'],
])('a PNG that %s is refused', (_, bytes, refusal) => {
  expect(iconPicture(bytes)).toEqual(refused(refusal));
});

test('a file that is too large is refused before it is searched', () => {
  const large = Buffer.alloc(MAX_ICON_BYTES + 1, '<svg');
  expect(iconPicture(large)).toEqual(refused('is larger than 256 KB'));
});

test('a file of the largest size that begins a thousand tags and ends none is judged', () => {
  expect(iconPicture(Buffer.alloc(MAX_ICON_BYTES, '<svg xmlns onx '))).toHaveProperty('refusal');
});
