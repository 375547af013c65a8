import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gguf } from '@huggingface/gguf';
import { expect, onTestFinished, test } from 'vitest';
import { type TinyModel, tinyGguf, writeTinyGguf } from './tiny-gguf.ts';

test('another GGUF reader finds its metadata and tensors', async () => {
  const { metadata, tensorInfos } = await readBack({ name: 'small talk', contextLength: 300, poolingType: 1 });
  expect(metadata).toMatchObject({
    version: 3,
    'general.architecture': 'llama',
    'general.name': 'small talk',
    'llama.context_length': 300,
    'llama.embedding_length': 64,
    'llama.pooling_type': 1,
    'tokenizer.chat_template': expect.stringContaining('add_generation_prompt'),
  });
  expect(tensorInfos).toHaveLength(21);
  expect(tensorInfos.at(-1)).toMatchObject({ name: 'blk.1.ffn_down.weight', n_dims: 2, dtype: 0 });
});

test('a reranker has a classifier output, and a model may come without a chat template', async () => {
  const { metadata, tensorInfos } = await readBack({ isReranker: true, chatTemplate: null });
  expect(metadata).toMatchObject({ 'general.architecture': 'qwen3', 'qwen3.classifier.output_labels': ['yes', 'no'] });
  expect(metadata).not.toHaveProperty(['tokenizer.chat_template']);
  expect(tensorInfos.map(({ name }) => name)).toContain('cls.output.weight');
});

test('the same options give the same bytes, another seed gives others', () => {
  const hash = (seed: number) => createHash('sha256').update(tinyGguf({ seed })).digest('hex');
  expect(hash(1)).toBe(hash(1));
  expect(hash(2)).not.toBe(hash(1));
  expect(tinyGguf().length).toBeLessThan(500_000);
});

async function readBack(options: Partial<TinyModel>) {
  const folder = mkdtempSync(join(tmpdir(), 'tiny-gguf-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return await gguf(writeTinyGguf(join(folder, 'model.gguf'), options), { allowLocalFile: true });
}
