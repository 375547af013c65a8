import { expect, test } from 'vitest';
import { MAX_IMAGE_BYTES, readmeImage } from './app-readmes.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');

test.each([
  ['\x89PNG\r\n\x1a\n...', 'image/png'],
  ['\xff\xd8\xff\xe0', 'image/jpeg'],
  ['GIF89a', 'image/gif'],
  ['RIFF\0\0\0\0WEBPVP8 ', 'image/webp'],
  ['\0\0\0\x20ftypavif', 'image/avif'],
])('%j is an image', (text, type) => {
  expect(readmeImage(bytes(text))).toEqual({ type, base64: bytes(text).toString('base64') });
});

test.each([
  '',
  '<svg xmlns="http://www.w3.org/2000/svg"/>',
  '<?xml version="1.0"?><svg/>',
  '<!doctype html>',
  'GIF',
  'RIFF\0\0\0\0WAVE',
])('%j is refused', (text) =>
  expect(() => readmeImage(bytes(text))).toThrow('This is no PNG, JPEG, GIF, WebP or AVIF image.'),
);

test('an image that is too large is refused', () => {
  const large = Buffer.concat([bytes('\x89PNG\r\n\x1a\n'), Buffer.alloc(MAX_IMAGE_BYTES)]);
  expect(() => readmeImage(large)).toThrow('The image is larger than 4 MB.');
});
