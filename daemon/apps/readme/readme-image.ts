import type { ReadmeImage } from '../../contract/apps/readme.ts';
import { DomainError } from '../../shared/domain-error.ts';

export const MAX_IMAGE_BYTES = 4 * 1024 * 1024;

/** The file of a README is not shown. `message` says why. */
export class ImageRefused extends DomainError {}

/** The app has no such file, or its files are not at hand. */
export class ImageNotFound extends DomainError {
  constructor(path: string) {
    super(`There is no image "${path}" beside the README.`);
  }
}

/**
 * An image as the page may show it.
 * @param bytes the file, or more than `MAX_IMAGE_BYTES` of it
 * @throws ImageRefused for a file that is too large, or no image without scripts: an SVG, for example
 */
export function readmeImage(bytes: Uint8Array): ReadmeImage {
  if (bytes.length > MAX_IMAGE_BYTES) throw new ImageRefused('The image is larger than 4 MB.');
  const type = typeOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (!type) throw new ImageRefused('This is no PNG, JPEG, GIF, WebP or AVIF image.');
  return { type, base64: Buffer.from(bytes).toString('base64') };
}

/** The type by the first bytes: a file name says nothing. */
function typeOf(bytes: Buffer): ReadmeImage['type'] | null {
  const text = (from: number, to: number) => bytes.toString('latin1', from, to);
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (text(0, 3) === '\xff\xd8\xff') return 'image/jpeg';
  if (/^GIF8[79]a$/.test(text(0, 6))) return 'image/gif';
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'image/webp';
  if (/^ftypavi[fs]$/.test(text(4, 12))) return 'image/avif';
  return null;
}
