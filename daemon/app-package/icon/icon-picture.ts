import { svgRefusal } from './svg-refusal.ts';

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
