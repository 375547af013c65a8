/** A picture of shapes, as a drawing program saves it. `inside` is what is in it. */
export const svgPicture = (inside = '<circle cx="24" cy="24" r="12" fill="#b4432a"/>'): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48">${inside}</svg>\n`;

/** A PNG for those who draw nothing: its header, more chunks, an empty one of pixels and its end, without checksums. */
export function pngPicture({ width = 96, height = 96, chunks = [] as readonly string[] } = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const more = chunks.map((name) => pngChunk(name));
  return Buffer.concat([signature, pngChunk('IHDR', header), ...more, pngChunk('IDAT'), pngChunk('IEND')]);
}

export function pngChunk(name: string, content: Buffer = Buffer.alloc(0)): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, Buffer.from(name, 'latin1'), content, Buffer.alloc(4)]);
}
