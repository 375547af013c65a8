import { displayText } from '../../shared/display-text.ts';

/** The largest icon, in bytes. */
export const MAX_ICON_BYTES = 256 * 1024;
/** The longest side of a PNG, in pixels: a browser unpacks four bytes for each. */
const MAX_SIDE = 1024;

/** The picture of an icon. A page shows it as an image, in which browsers run no script and load nothing. */
export interface IconPicture {
  readonly type: 'image/svg+xml' | 'image/png';
  readonly bytes: Buffer;
}

/** Why a file is no icon: the end of a sentence about it, `has a script`. */
interface IconRefusal {
  readonly refusal: string;
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** The length, the name and the checksum of a chunk. */
const CHUNK_BYTES = 12;

/**
 * Judges a file by its bytes, since its name says nothing. Nothing is decoded or drawn here.
 * @param bytes the file, or more than `MAX_ICON_BYTES` of it
 */
export function iconPicture(bytes: Buffer): IconPicture | IconRefusal {
  if (bytes.length > MAX_ICON_BYTES) return { refusal: `is larger than ${MAX_ICON_BYTES / 1024} KB` };
  const isPng = bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE);
  const refusal = isPng ? pngRefusal(bytes) : svgRefusal(bytes);
  return refusal === null ? { type: isPng ? 'image/png' : 'image/svg+xml', bytes } : { refusal };
}

const DAMAGED = 'is a damaged PNG picture';
/** The chunks of an animation, which browsers play without end, also for somebody who wants no motion. */
const MOVING: readonly string[] = ['acTL', 'fcTL', 'fdAT'];

/** Reads the sides from the first chunk, and the names of the others; the pixels stay packed. */
function pngRefusal(bytes: Buffer): string | null {
  const chunks = pngChunks(bytes);
  const [header, ...others] = chunks ?? [];
  if (header?.name !== 'IHDR' || header.content.length !== 13) return DAMAGED;
  const [width, height] = [header.content.readUInt32BE(0), header.content.readUInt32BE(4)];
  if (width === 0 || height === 0) return DAMAGED;
  if (width > MAX_SIDE || height > MAX_SIDE) {
    return `has ${width} × ${height} pixels, more than ${MAX_SIDE} × ${MAX_SIDE}`;
  }
  const names = others.map(({ name }) => name);
  if (names.some((name) => MOVING.includes(name))) return 'is animated';
  return names.includes('IDAT') && !names.includes('IHDR') ? null : DAMAGED;
}

interface PngChunk {
  readonly name: string;
  readonly content: Buffer;
}

/** The chunks by the lengths that they state. Their checksums are left to browsers. @returns null unless they fill the file */
function pngChunks(bytes: Buffer): PngChunk[] | null {
  const chunks: PngChunk[] = [];
  let at = PNG_SIGNATURE.length;
  while (chunks.at(-1)?.name !== 'IEND') {
    if (bytes.length - at < CHUNK_BYTES) return null;
    const end = at + CHUNK_BYTES + bytes.readUInt32BE(at);
    if (end > bytes.length) return null;
    chunks.push({ name: bytes.toString('latin1', at + 4, at + 8), content: bytes.subarray(at + 8, end - 4) });
    at = end;
  }
  // More would be another file behind a picture.
  return at === bytes.length ? chunks : null;
}

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
const CSS_ANIMATION = /@keyframes|\banimation[a-z-]{0,40}\s*:/i;
/** An address that is no part of the file itself, such as `#gradient`. */
const OUTSIDE = /\bhref\s*=(?!\s*["']\s*#)|\burl\((?!\s*(?:["']\s*)?#)|@import|\bimage-set\(/i;
const ENTITY = /<!(?:ENTITY|ATTLIST)/i;

/** Searches the text without parsing it, comments too: what a browser cannot read either, it does not show. */
function svgRefusal(bytes: Buffer): string | null {
  const text = utf8Text(bytes) ?? '';
  // Also names in other alphabets, which XML allows.
  const elements = Array.from(text.matchAll(/<([^\s<>/?!][^\s<>/]*)/g), ([, name = '']) => name);
  if (elements[0] !== 'svg') return 'is neither an SVG nor a PNG picture';
  const [root = ''] = /<svg[^>]*/.exec(text) ?? [];
  if (!NAMESPACE.test(root)) return 'has no xmlns="http://www.w3.org/2000/svg", without which no browser shows it';
  if (elements.includes('script') || HANDLER.test(text)) return 'has a script';
  if (ENTITY.test(text)) return 'declares entities';
  const plain = unescaped(text);
  if (elements.some((name) => ANIMATIONS.includes(name)) || CSS_ANIMATION.test(plain)) return 'is animated';
  const isNote = noteTest(text);
  const other = elements.find((name) => !SHAPES.has(name) && !isNote(name));
  if (other !== undefined) return `has an element <${displayText(other, 40)}>, which is no plain shape`;
  return OUTSIDE.test(plain) ? 'refers to something outside of it' : null;
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
