import { displayText } from '../../shared/display-text.ts';

/**
 * The elements that an icon may have. Others draw without bound (`use` in `use`), depend on the fonts of a machine
 * (`text`), or hold what is no drawing (`image`, `foreignObject`).
 */
const SHAPES: ReadonlySet<string> = new Set([
  ...['svg', 'title', 'desc', 'metadata', 'defs', 'style', 'g', 'clipPath'],
  ...['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon'],
  ...['linearGradient', 'radialGradient', 'stop'],
]);
/** The prefixes under which drawing programs keep notes of their own, which browsers do not show, with their namespaces. */
const NOTES: Readonly<Record<string, readonly string[]>> = {
  sodipodi: ['http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd'],
  inkscape: ['http://www.inkscape.org/namespaces/inkscape'],
  rdf: ['http://www.w3.org/1999/02/22-rdf-syntax-ns#'],
  cc: ['http://creativecommons.org/ns#', 'http://web.resource.org/cc/'],
  dc: ['http://purl.org/dc/elements/1.1/'],
};
const BINDING = /\sxmlns:([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const ANIMATIONS: readonly string[] = ['animate', 'animateTransform', 'animateMotion', 'set'];

const NAMESPACE = /\sxmlns\s*=\s*["']http:\/\/www\.w3\.org\/2000\/svg["']/;
const HANDLER = /\son[a-z]+\s*=/i;
const CSS_ANIMATION = /@(?:-[a-z]+-)?keyframes|\banimation[a-z-]{0,40}\s*:/i;
/** An address that is no part of the file itself, such as `#gradient`. */
const OUTSIDE = /\bhref\s*=(?!\s*["']\s*#)|\burl\((?!\s*(?:["']\s*)?#)|@import|\bimage-set\(/i;
const ENTITY = /<!(?:ENTITY|ATTLIST)/i;
/** A document type with more than its name and its addresses, in which anything could be hidden. */
const DECLARATIONS = /<!DOCTYPE(?!\s+svg(?:\s+(?:PUBLIC|SYSTEM)(?:\s+(?:"[^"<>]*"|'[^'<>]*'))+)?\s*>)/i;

/**
 * Says why the text of an SVG is no icon; null: it is one. Searches it without parsing it, comments too: what a browser cannot
 * read either, it does not show.
 */
export function svgRefusal(bytes: Buffer): string | null {
  const text = utf8Text(bytes) ?? '';
  const elements = elementsIn(text);
  if (elements[0] !== 'svg') return 'is neither an SVG nor a PNG picture';
  const [root = ''] = /<svg[^>]*/.exec(text) ?? [];
  if (!NAMESPACE.test(root)) return 'has no xmlns="http://www.w3.org/2000/svg", without which no browser shows it';
  if (elements.includes('script') || HANDLER.test(text)) return 'has a script';
  if (ENTITY.test(text)) return 'declares entities';
  if (DECLARATIONS.test(text)) return 'has declarations in its document type';
  // As it is written, and as a browser joins it: a style may be split by comments.
  const plain = [text, joined(text, { data: true })].map(unescaped);
  const has = (pattern: RegExp) => plain.some((each) => pattern.test(each));
  if (elements.some((name) => ANIMATIONS.includes(name)) || has(CSS_ANIMATION)) return 'is animated';
  const isNote = noteTest(text);
  const other = elements.find((name) => !SHAPES.has(name) && !isNote(name));
  if (other !== undefined) return `has an element <${displayText(other, 40)}>, which is no plain shape`;
  if (has(OUTSIDE)) return 'refers to something outside of it';
  return clipRefusal(joined(text, { data: false }), plain);
}

/** The names of the elements, also in other alphabets, which XML allows. */
const elementsIn = (text: string): string[] =>
  Array.from(text.matchAll(/<([^\s<>/?!][^\s<>/]*)/g), ([, name = '']) => name);

const PART = /<!--|<\?|<!\[CDATA\[/g;
const ENDS: Readonly<Record<string, string>> = { '<!--': '-->', '<?': '?>', '<![CDATA[': ']]>' };

/** The text without comments and instructions. @param data whether character data stays, without its marks */
function joined(text: string, { data }: { readonly data: boolean }): string {
  const pieces: string[] = [];
  let from = 0;
  PART.lastIndex = 0;
  for (let part = PART.exec(text); part !== null; part = PART.exec(text)) {
    const mark = ENDS[part[0]] as string;
    const end = text.indexOf(mark, PART.lastIndex);
    if (end < 0) break; // no browser shows it
    pieces.push(text.slice(from, part.index));
    if (data && part[0] === '<![CDATA[') pieces.push(text.slice(PART.lastIndex, end));
    from = end + mark.length;
    PART.lastIndex = from;
  }
  return [...pieces, text.slice(from)].join('');
}

/** The most characters of clip paths that a browser may have to draw: each clipped shape draws them once. */
const MOST_CLIPPING = 10_000_000;
/** The property that clips, and the one that takes over all of the element around it. */
const CLIP = /clip-path|\ball\b/i;

/**
 * Refuses clip paths within others, each level of which multiplies the drawing: ten shapes in each of six take half a minute.
 * @param markup without comments and character data
 * @param plain the texts with every style
 */
function clipRefusal(markup: string, plain: readonly string[]): string | null {
  const clips = markup
    .split(/<clipPath(?=[\s>/])/)
    .slice(1)
    .map((rest) => rest.split('</clipPath', 1)[0] ?? '');
  const styles = plain.map((each) => each.slice(Math.max(0, each.indexOf('<style')), each.lastIndexOf('</style') + 1));
  // A style sheet may clip any shape, also those of a clip path. One that clips itself is not drawn.
  const mayNest = clips.length > 1 && styles.some((style) => CLIP.test(style));
  if (mayNest || clips.some((clip) => CLIP.test(unescaped(clip)))) return 'has a clip path within another one';
  const length = clips.reduce((sum, clip) => sum + clip.length, 0);
  return length * elementsIn(markup).length > MOST_CLIPPING ? 'has clip paths that take too long to draw' : null;
}

/** The text without the escapes of XML and of styles, which would hide a word of a style, as in `&#117;rl(…)` and `\\75rl(…)`. */
function unescaped(text: string): string {
  const characterOf = (digits: string, base: number) => {
    const code = Number.parseInt(digits, base);
    return code <= 0x10ffff ? String.fromCodePoint(code) : '';
  };
  return text
    .replace(/&(?:#x([0-9a-f]+)|#([0-9]+)|quot|apos);/gi, (_, hex?: string, decimal?: string) =>
      hex ? characterOf(hex, 16) : decimal ? characterOf(decimal, 10) : '"',
    )
    .replace(/\\(?:([0-9a-f]{1,6})[ \t\r\n\f]?|([^\r\n]))/gi, (_, hex?: string, itself?: string) =>
      hex ? characterOf(hex, 16) : (itself ?? ''),
    );
}

/** Under another namespace, a prefix of notes would name shapes. @returns a test of an element's name */
function noteTest(text: string): (name: string) => boolean {
  const isStrange = (prefix: string, address: string) => !(NOTES[prefix]?.includes(address) ?? true);
  const strange = new Set(
    Array.from(text.matchAll(BINDING), ([, prefix = '', double, single]) =>
      isStrange(prefix, double ?? single ?? '') ? prefix : '',
    ),
  );
  return (name) => {
    const [prefix = '', rest] = name.split(':');
    return rest !== undefined && Object.hasOwn(NOTES, prefix) && !strange.has(prefix);
  };
}

/** @returns null for bytes that are no UTF-8 */
function utf8Text(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
