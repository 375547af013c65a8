import { writeFileSync } from 'node:fs';
import { seededRandom } from '../seeded-random.ts';
import { type GgufTensor, type GgufValue, ggufFile } from './gguf-file.ts';

export interface TinyModel {
  readonly name: string;
  /** Tokens; the tokenizer makes one of each byte. */
  readonly contextLength: number;
  /** A multiple of 8: four heads with an even number of dimensions each. */
  readonly embeddingLength: number;
  /** The Jinja template; null: none. */
  readonly chatTemplate: string | null;
  /** Adds a classifier output: a reranker. Its architecture is then qwen3. */
  readonly isReranker: boolean;
  /** How an embedding is made of the tokens': 1 mean, 2 first token, 3 last; null: not written. */
  readonly poolingType: 1 | 2 | 3 | null;
  /** Other random weights, hence another file. */
  readonly seed: number;
}

/** A line for each message. */
export const chatTemplate =
  "{% for message in messages %}<{{ message['role'] }}>{{ message['content'] }}\n{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}";

const BLOCKS = 2;
const HEADS = 4;
const KEY_VALUE_HEADS = 2;
const FEED_FORWARD = 128;
/** `<unk>`, `<s>`, `</s>` and the 256 bytes. */
const VOCABULARY = 259;

/** A GGUF model with random weights, 0.4 MB: loads in llama.cpp and answers nonsense, always the same at temperature 0. */
export function tinyGguf(options: Partial<TinyModel> = {}): Buffer {
  const model: TinyModel = {
    name: 'tiny',
    contextLength: 512,
    embeddingLength: 64,
    chatTemplate,
    isReranker: false,
    poolingType: null,
    seed: 1,
    ...options,
  };
  return ggufFile(metadataOf(model), tensorsOf(model));
}

/** Writes one. @returns its path */
export function writeTinyGguf(file: string, options: Partial<TinyModel> = {}): string {
  writeFileSync(file, tinyGguf(options));
  return file;
}

function metadataOf(model: TinyModel): Record<string, GgufValue> {
  const arch = model.isReranker ? 'qwen3' : 'llama';
  const headLength = model.embeddingLength / HEADS;
  const bytes = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`);
  return {
    'general.architecture': { text: arch },
    'general.name': { text: model.name },
    [`${arch}.context_length`]: { u32: model.contextLength },
    [`${arch}.embedding_length`]: { u32: model.embeddingLength },
    [`${arch}.block_count`]: { u32: BLOCKS },
    [`${arch}.feed_forward_length`]: { u32: FEED_FORWARD },
    [`${arch}.attention.head_count`]: { u32: HEADS },
    [`${arch}.attention.head_count_kv`]: { u32: KEY_VALUE_HEADS },
    [`${arch}.attention.key_length`]: { u32: headLength },
    [`${arch}.attention.value_length`]: { u32: headLength },
    [`${arch}.attention.layer_norm_rms_epsilon`]: { f32: 1e-5 },
    [`${arch}.rope.dimension_count`]: { u32: headLength },
    [`${arch}.vocab_size`]: { u32: VOCABULARY },
    ...(model.poolingType === null ? {} : { [`${arch}.pooling_type`]: { u32: model.poolingType } }),
    ...(model.isReranker ? { [`${arch}.classifier.output_labels`]: { texts: ['yes', 'no'] } } : {}),
    'tokenizer.ggml.model': { text: 'llama' },
    'tokenizer.ggml.tokens': { texts: ['<unk>', '<s>', '</s>', ...bytes] },
    'tokenizer.ggml.scores': { f32s: Array(VOCABULARY).fill(0) },
    // Unknown, control, control, then bytes.
    'tokenizer.ggml.token_type': { i32s: [2, 3, 3, ...Array(256).fill(6)] },
    'tokenizer.ggml.bos_token_id': { u32: 1 },
    'tokenizer.ggml.eos_token_id': { u32: 2 },
    'tokenizer.ggml.unknown_token_id': { u32: 0 },
    ...(model.chatTemplate === null ? {} : { 'tokenizer.chat_template': { text: model.chatTemplate } }),
  };
}

function tensorsOf({ embeddingLength: width, isReranker, seed }: TinyModel): GgufTensor[] {
  const random = seededRandom(seed);
  const weights = (name: string, ...shape: number[]): GgufTensor => ({
    name: `${name}.weight`,
    shape,
    values: Float32Array.from({ length: shape.reduce((a, b) => a * b) }, () => (random() - 0.5) * 0.2),
  });
  const norm = (name: string, length = width): GgufTensor => ({
    name: `${name}.weight`,
    shape: [length],
    values: new Float32Array(length).fill(1),
  });
  const keyValueWidth = (width / HEADS) * KEY_VALUE_HEADS;
  const block = (prefix: string) => [
    norm(`${prefix}.attn_norm`),
    weights(`${prefix}.attn_q`, width, width),
    weights(`${prefix}.attn_k`, width, keyValueWidth),
    weights(`${prefix}.attn_v`, width, keyValueWidth),
    weights(`${prefix}.attn_output`, width, width),
    ...(isReranker ? [norm(`${prefix}.attn_q_norm`, width / HEADS), norm(`${prefix}.attn_k_norm`, width / HEADS)] : []),
    norm(`${prefix}.ffn_norm`),
    weights(`${prefix}.ffn_gate`, width, FEED_FORWARD),
    weights(`${prefix}.ffn_up`, width, FEED_FORWARD),
    weights(`${prefix}.ffn_down`, FEED_FORWARD, width),
  ];
  return [
    weights('token_embd', width, VOCABULARY),
    norm('output_norm'),
    weights('output', width, VOCABULARY),
    ...Array.from({ length: BLOCKS }, (_, index) => block(`blk.${index}`)).flat(),
    ...(isReranker ? [weights('cls.output', width, 2)] : []),
  ];
}
