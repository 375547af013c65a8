import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GGMLQuantizationType, gguf } from '@huggingface/gguf';
import { expect, onTestFinished, test } from 'vitest';
import { agreement } from './measurements.ts';
import { cacheBytesPerToken, FIRST_WORD, shapes, writeRandomModel } from './random-model.ts';

test('a model of random weights has blocks of 8 bits, and is the same at each run', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'random-model-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [file, other] = [join(folder, 'a.gguf'), join(folder, 'b.gguf')];
  const sizeBytes = writeRandomModel(file, shapes.tiny);
  writeRandomModel(other, shapes.tiny);
  const bytes = readFileSync(file);
  expect(bytes.length).toBe(sizeBytes);
  expect(bytes.equals(readFileSync(other))).toBe(true);

  const { tensorInfos, tensorDataOffset } = await gguf(file, { allowLocalFile: true });
  expect(tensorInfos).toHaveLength(3 + 9 * shapes.tiny.layers);
  const output = tensorInfos.find(({ name }) => name === 'output.weight');
  expect(output).toMatchObject({ shape: [256n, 1_000n], dtype: GGMLQuantizationType.Q8_0 });
  const at = Number(tensorDataOffset) + Number(output?.offset);
  const rowBytes = (256 / 32) * 34;
  const firstWord = at + FIRST_WORD * rowBytes;
  expect(bytes.subarray(at, firstWord).every((byte) => byte === 0)).toBe(true);
  for (let block = firstWord; block < at + 1_000 * rowBytes; block += 34)
    expect(bytes.readUInt16LE(block)).toBe(0x0c79);
  expect(cacheBytesPerToken(shapes['1b'])).toBe(22_528);
});

test('answers agree up to the first word that differs', () => {
  expect(agreement(' w1 w2 w3', ' w1 w2 w3')).toEqual({ alike: 3, of: 3 });
  expect(agreement(' w1 w2 w3', ' w1 w5 w3 w4')).toEqual({ alike: 1, of: 4 });
  expect(agreement(' w1 w2', ' w1 w2 w3')).toEqual({ alike: 2, of: 3 });
});
