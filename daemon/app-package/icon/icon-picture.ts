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
/** The signature and the first chunk, IHDR. */
const PNG_HEADER_BYTES = 33;

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

/** Reads the sides from the header; the pixels stay packed. */
function pngRefusal(bytes: Buffer): string | null {
  const pixels = bytes.indexOf('IDAT');
  if (pixels < PNG_HEADER_BYTES || bytes.toString('latin1', 12, 16) !== 'IHDR') return 'is a damaged PNG picture';
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  if (width === 0 || height === 0) return 'is a damaged PNG picture';
  if (width > MAX_SIDE || height > MAX_SIDE) {
    return `has ${width} × ${height} pixels, more than ${MAX_SIDE} × ${MAX_SIDE}`;
  }
  return bytes.subarray(0, pixels).includes('acTL') ? 'is animated' : null;
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
const OUTSIDE = /\bhref\s*=(?!\s*["']\s*#)|\burl\((?!\s*(?:["']\s*)?#)|@import/i;
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
  if (elements.some((name) => ANIMATIONS.includes(name)) || CSS_ANIMATION.test(text)) return 'is animated';
  const isNote = noteTest(text);
  const other = elements.find((name) => !SHAPES.has(name) && !isNote(name));
  if (other !== undefined) return `has an element <${displayText(other, 40)}>, which is no plain shape`;
  return OUTSIDE.test(text) ? 'refers to something outside of it' : null;
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
