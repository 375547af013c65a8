/** Models of random weights for measuring speed: their answers are noise, the same at each run. */
import { createCipheriv } from 'node:crypto';
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import {
  type GgufTensorInfo,
  type GgufValue,
  ggufHead,
  paddedBytes,
} from '../../../daemon/testing/models/gguf-file.ts';
import { chatTemplate } from '../../../daemon/testing/models/tiny-gguf.ts';

export interface ModelShape {
  readonly layers: number;
  /** Of the embedding and of the feed-forward part: multiples of 32. */
  readonly width: number;
  readonly feedForward: number;
  readonly heads: number;
  readonly keyValueHeads: number;
  readonly vocabulary: number;
}

/** By size: 1.1 billion weights (1.2 GB), and 2 million (2 MB) for a software driver. */
export const shapes = {
  '1b': { layers: 22, width: 2_048, feedForward: 5_632, heads: 32, keyValueHeads: 4, vocabulary: 32_000 },
  tiny: { layers: 2, width: 256, feedForward: 512, heads: 4, keyValueHeads: 2, vocabulary: 1_000 },
} as const satisfies Record<string, ModelShape>;

const HEAD_LENGTH = 64;
/** As trained, so to speak: the longest context that an endpoint may ask for. */
const CONTEXT_LENGTH = 2 ** 28;
/** `<unk>`, `<s>`, `</s>` and the 256 bytes. All other tokens are words. */
export const FIRST_WORD = 259;

const BLOCK = { numbers: 32, bytes: 34 };
/** Random numbers of 8 bits times this factor deviate by 0.02, as the weights of real models do. 16 bits: 2^-12 × 1.118. */
const FACTOR = 0x0c79;
/** So many blocks are written at once: 4.3 MB. */
const BLOCKS_AT_ONCE = 128 * 1_024;

/** The bytes that a token takes in the cache of keys and values, on all layers: 16 bits a number. */
export function cacheBytesPerToken({ layers, keyValueHeads }: ModelShape): number {
  return layers * 2 * keyValueHeads * HEAD_LENGTH * 2;
}

/** Writes a model in Q8_0, unless the file has its size already. @returns the size in bytes */
export function writeRandomModel(file: string, shape: ModelShape): number {
  const tensors = tensorsOf(shape);
  const head = ggufHead(metadataOf(shape), tensors);
  const sizeBytes = head.length + tensors.reduce((sum, tensor) => sum + paddedBytes(tensor), 0);
  if (statSync(file, { throwIfNoEntry: false })?.size === sizeBytes) return sizeBytes;
  const random = createCipheriv('aes-128-ctr', Buffer.alloc(16, 1), Buffer.alloc(16));
  const zeros = Buffer.alloc(BLOCKS_AT_ONCE * BLOCK.bytes);
  const descriptor = openSync(file, 'w');
  try {
    writeAll(descriptor, head);
    for (const tensor of tensors) {
      if (tensor.type === 'f32') writeOnes(descriptor, tensor);
      else writeBlocks(descriptor, tensor, (length) => random.update(zeros.subarray(0, length)));
    }
  } finally {
    closeSync(descriptor);
  }
  return sizeBytes;
}

function writeOnes(descriptor: number, tensor: GgufTensorInfo): void {
  const bytes = Buffer.alloc(paddedBytes(tensor));
  for (let at = 0; at < (tensor.shape[0] ?? 0); at++) bytes.writeFloatLE(1, at * 4);
  writeAll(descriptor, bytes);
}

function writeBlocks(descriptor: number, tensor: GgufTensorInfo, randomBytes: (length: number) => Buffer): void {
  const [width = 0, rows = 0] = tensor.shape;
  const blocks = (width / BLOCK.numbers) * rows;
  for (let done = 0; done < blocks; done += BLOCKS_AT_ONCE) {
    const count = Math.min(BLOCKS_AT_ONCE, blocks - done);
    const bytes = randomBytes(count * BLOCK.bytes);
    for (let at = 0; at < count; at++) bytes.writeUInt16LE(FACTOR, at * BLOCK.bytes);
    // The most probable token is then always a word: an answer does not end by itself, and its words are its tokens.
    const silent = tensor.name === 'output.weight' ? FIRST_WORD * (width / BLOCK.numbers) - done : 0;
    if (silent > 0) bytes.fill(0, 0, silent * BLOCK.bytes);
    writeAll(descriptor, bytes);
  }
  writeAll(descriptor, Buffer.alloc(paddedBytes(tensor) - blocks * BLOCK.bytes));
}

/** The system may take a part of the bytes only. */
function writeAll(descriptor: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
}

function metadataOf(shape: ModelShape): Record<string, GgufValue> {
  const bytes = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`);
  const words = Array.from({ length: shape.vocabulary - FIRST_WORD }, (_, word) => `\u2581w${word}`);
  return {
    'general.architecture': { text: 'llama' },
    'general.name': { text: 'random' },
    'general.file_type': { u32: 7 },
    'llama.context_length': { u32: CONTEXT_LENGTH },
    'llama.embedding_length': { u32: shape.width },
    'llama.block_count': { u32: shape.layers },
    'llama.feed_forward_length': { u32: shape.feedForward },
    'llama.attention.head_count': { u32: shape.heads },
    'llama.attention.head_count_kv': { u32: shape.keyValueHeads },
    'llama.attention.layer_norm_rms_epsilon': { f32: 1e-5 },
    'llama.rope.dimension_count': { u32: HEAD_LENGTH },
    'llama.vocab_size': { u32: shape.vocabulary },
    'tokenizer.ggml.model': { text: 'llama' },
    'tokenizer.ggml.tokens': { texts: ['<unk>', '<s>', '</s>', ...bytes, ...words] },
    'tokenizer.ggml.scores': { f32s: [...Array(FIRST_WORD).fill(0), ...words.map((_, word) => -word)] },
    // Unknown, control, control, bytes, then normal ones.
    'tokenizer.ggml.token_type': { i32s: [2, 3, 3, ...Array(256).fill(6), ...words.map(() => 1)] },
    'tokenizer.ggml.bos_token_id': { u32: 1 },
    'tokenizer.ggml.eos_token_id': { u32: 2 },
    'tokenizer.ggml.unknown_token_id': { u32: 0 },
    'tokenizer.chat_template': { text: chatTemplate },
  };
}

function tensorsOf({ layers, width, feedForward, keyValueHeads, vocabulary }: ModelShape): GgufTensorInfo[] {
  const weights = (name: string, columns: number, rows: number): GgufTensorInfo => {
    return { name: `${name}.weight`, shape: [columns, rows], type: 'q8_0' };
  };
  const norm = (name: string): GgufTensorInfo => ({ name: `${name}.weight`, shape: [width], type: 'f32' });
  const block = (prefix: string) => [
    norm(`${prefix}.attn_norm`),
    weights(`${prefix}.attn_q`, width, width),
    weights(`${prefix}.attn_k`, width, keyValueHeads * HEAD_LENGTH),
    weights(`${prefix}.attn_v`, width, keyValueHeads * HEAD_LENGTH),
    weights(`${prefix}.attn_output`, width, width),
    norm(`${prefix}.ffn_norm`),
    weights(`${prefix}.ffn_gate`, width, feedForward),
    weights(`${prefix}.ffn_up`, width, feedForward),
    weights(`${prefix}.ffn_down`, feedForward, width),
  ];
  return [
    weights('token_embd', width, vocabulary),
    norm('output_norm'),
    weights('output', width, vocabulary),
    ...Array.from({ length: layers }, (_, layer) => block(`blk.${layer}`)).flat(),
  ];
}
