/** The colour of failures in the dashboard's light theme: blue, green, red, as Electron's bitmaps have them. */
const COLOUR = [0x1e, 0x26, 0xb3] as const;

/**
 * A filled circle, as a bitmap of 4 bytes a pixel: blue, green, red, opacity.
 * @param size its width and height, in pixels
 */
export function attentionDot(size: number): Buffer {
  const bitmap = Buffer.alloc(4 * size * size);
  const centre = (size - 1) / 2;
  for (let pixel = 0; pixel < size * size; pixel += 1) {
    const distance = Math.hypot((pixel % size) - centre, Math.floor(pixel / size) - centre);
    if (distance <= size / 2 - 1) bitmap.set([...COLOUR, 0xff], 4 * pixel);
  }
  return bitmap;
}
