import { describe, expect, test } from 'vitest';
import { pngPicture, svgPicture } from '../../testing/apps/pictures.ts';
import { iconPicture, MAX_ICON_BYTES } from './icon-picture.ts';

const svg = (text: string) => iconPicture(Buffer.from(text));
const refused = (refusal: string) => ({ refusal });

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
  ['a fill from elsewhere', svgPicture('<g fill="url(https://example.org/#a)"/>'), 'refers to something outside of it'],
  ['a gradient from elsewhere', svgPicture('<linearGradient href="b.svg#a"/>'), 'refers to something outside of it'],
  ['a style from elsewhere', svgPicture('<style>@import "a.css";</style>'), 'refers to something outside of it'],
  [
    'a style sheet from elsewhere',
    `<?xml-stylesheet href="https://example.org/a.css"?>${svgPicture()}`,
    'refers to something outside of it',
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
  ['another format', 'GIF89a', 'is neither an SVG nor a PNG picture'],
])('a file with %s is refused', (_, text, refusal) => {
  expect(svg(text)).toEqual(refused(refusal));
});

test('spaces without end in an address take no time', () => {
  expect(svg(svgPicture(`<style>url(${' '.repeat(250_000)})</style>`))).toEqual(
    refused('refers to something outside of it'),
  );
});

test('an SVG that is not in UTF-8 is refused: a browser could read something else in it', () => {
  expect(iconPicture(Buffer.from(svgPicture(), 'utf16le'))).toEqual(refused('is neither an SVG nor a PNG picture'));
});

test('a PNG is an icon up to 1024 × 1024 pixels', () => {
  for (const bytes of [pngPicture(), pngPicture({ width: 1024, height: 1024 })]) {
    expect(iconPicture(bytes)).toEqual({ type: 'image/png', bytes });
  }
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
  ['has no pixels', pngPicture().subarray(0, 33), 'is a damaged PNG picture'],
  [
    'begins with another chunk',
    Buffer.concat([pngPicture().subarray(0, 8), Buffer.alloc(40), Buffer.from('IDAT')]),
    'is a damaged PNG picture',
  ],
  ['moves', pngPicture({ chunks: ['acTL'] }), 'is animated'],
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
