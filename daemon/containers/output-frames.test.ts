import { expect, test } from 'vitest';
import { OutputFrames } from './container-output.ts';

function frame(stream: 1 | 2, text: string): Buffer {
  const header = Buffer.from([stream, 0, 0, 0, 0, 0, 0, 0]);
  header.writeUInt32BE(Buffer.byteLength(text), 4);
  return Buffer.concat([header, Buffer.from(text)]);
}

function reader() {
  const texts = { stdout: '', stderr: '' };
  const frames = new OutputFrames({
    stdout: (bytes) => {
      texts.stdout += bytes;
    },
    stderr: (bytes) => {
      texts.stderr += bytes;
    },
  });
  return { frames, texts };
}

test('frames are separated wherever their chunks end', () => {
  const all = Buffer.concat([frame(1, 'hello '), frame(2, 'oh no'), frame(1, ''), frame(1, 'world')]);
  for (let size = 1; size <= all.length; size++) {
    const { frames, texts } = reader();
    for (let at = 0; at < all.length; at += size) frames.write(all.subarray(at, at + size));
    expect(texts).toEqual({ stdout: 'hello world', stderr: 'oh no' });
  }
});

test('a chunk of many short lines is read', () => {
  const { frames, texts } = reader();
  frames.write(Buffer.concat(Array.from({ length: 50_000 }, () => frame(1, '\n'))));
  expect(texts.stdout).toHaveLength(50_000);
});
