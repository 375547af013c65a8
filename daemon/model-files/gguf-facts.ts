import type { GGUFParseOutput, GGUFTensorInfo, MetadataValue } from '@huggingface/gguf';
import type { GgufFacts } from '../contract/model-files/model-files.ts';

/** A header, and the positions that its file must contain. */
export interface GgufHeader {
  readonly facts: Omit<GgufFacts, 'sizeBytes'>;
  /** The bytes before the padding of the tensors' data. */
  readonly headerBytes: number;
  /** The position after the last tensor; of a tensor of an unknown type, the position at which it begins. */
  readonly tensorsEnd: number;
}

type Metadata = Readonly<Record<string, MetadataValue | undefined>>;

const POOLING: readonly NonNullable<GgufFacts['pooling']>[] = ['none', 'mean', 'cls', 'last', 'rank'];
/** The last layer of a classifier. */
const CLASSIFIER = /^cls(?:\.output)?\.weight$/;

/** @param fileTypes the names of quantizations by number */
export function summarizeHeader(
  { metadata, tensorInfos, tensorDataOffset, tensorInfoByteRange }: GGUFParseOutput,
  fileTypes: Readonly<Record<number, string>>,
): GgufHeader {
  const known = metadata as unknown as Metadata;
  const architecture = text(known['general.architecture']) ?? 'unknown';
  const number = (key: string) => positive(known[`${architecture}.${key}`]);
  const fileType = positiveOrZero(known['general.file_type']);
  const pooling = positiveOrZero(known[`${architecture}.pooling_type`]);
  return {
    facts: {
      architecture,
      name: text(known['general.name']),
      parameterCount: parameterCount(tensorInfos),
      contextLength: number('context_length'),
      shape: shapeOf(number, known[`${architecture}.attention.head_count_kv`]),
      fileType: fileType === null ? null : (fileTypes[fileType] ?? null),
      hasChatTemplate: text(known['tokenizer.chat_template']) !== null,
      pooling: pooling === null ? null : (POOLING[pooling] ?? null),
      isClassifier: tensorInfos.some(({ name }) => CLASSIFIER.test(name)),
    },
    headerBytes: tensorInfoByteRange[1],
    tensorsEnd: tensorsEnd(tensorInfos, tensorDataOffset),
  };
}

function tensorsEnd(tensors: readonly GGUFTensorInfo[], dataOffset: bigint): number {
  let end = dataOffset;
  for (const { shape, dtype, offset } of tensors) {
    const [perBlock, blockBytes] = blocks[dtype] ?? [1, 0]; // of an unknown type: as if it were empty
    const own = dataOffset + offset + (elements(shape) / BigInt(perBlock)) * BigInt(blockBytes);
    if (own > end) end = own;
  }
  return Number(end);
}

const elements = (shape: readonly bigint[]) => shape.reduce((product, size) => product * size, 1n);

function parameterCount(tensors: readonly GGUFTensorInfo[]): number | null {
  const count = tensors.reduce((sum, { shape }) => sum + elements(shape), 0n);
  return count > 0n && count <= Number.MAX_SAFE_INTEGER ? Number(count) : null;
}

function shapeOf(number: (key: string) => number | null, kv: MetadataValue | undefined): GgufFacts['shape'] {
  const layers = number('block_count');
  const heads = number('attention.head_count');
  // Some architectures have a count for each layer; the largest gives an upper bound.
  const kvHeads = Array.isArray(kv) ? Math.max(0, ...kv.map((one) => positive(one) ?? 0)) : (positive(kv) ?? heads);
  const width = number('embedding_length');
  const headDim = number('attention.key_length') ?? (width !== null && heads !== null ? width / heads : null);
  return layers && kvHeads && headDim ? { layers, kvHeads, headDim } : null;
}

function text(value: MetadataValue | undefined): string | null {
  return typeof value === 'string' && value.length > 0 ? value.slice(0, 200) : null;
}

function positiveOrZero(value: MetadataValue | undefined): number | null {
  const number = typeof value === 'bigint' ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

const positive = (value: MetadataValue | undefined) => positiveOrZero(value) || null;

/**
 * The layouts of tensors, so many numbers in so many bytes: the types that model files contain, by their number, from llama.cpp's gguf-py/gguf/constants.py (GGML_QUANT_SIZES).
 * Left out are types that exist only in memory (Q8_1, Q8_K) and those newer than this table.
 */
const blocks: Readonly<Record<number, readonly [elements: number, bytes: number]>> = {
  0: [1, 4], // F32
  1: [1, 2], // F16
  2: [32, 18], // Q4_0
  3: [32, 20], // Q4_1
  6: [32, 22], // Q5_0
  7: [32, 24], // Q5_1
  8: [32, 34], // Q8_0
  10: [256, 84], // Q2_K
  11: [256, 110], // Q3_K
  12: [256, 144], // Q4_K
  13: [256, 176], // Q5_K
  14: [256, 210], // Q6_K
  16: [256, 66], // IQ2_XXS
  17: [256, 74], // IQ2_XS
  18: [256, 98], // IQ3_XXS
  19: [256, 50], // IQ1_S
  20: [32, 18], // IQ4_NL
  21: [256, 110], // IQ3_S
  22: [256, 82], // IQ2_S
  23: [256, 136], // IQ4_XS
  24: [1, 1], // I8
  25: [1, 2], // I16
  26: [1, 4], // I32
  27: [1, 8], // I64
  28: [1, 8], // F64
  29: [256, 56], // IQ1_M
  30: [1, 2], // BF16
  34: [256, 54], // TQ1_0
  35: [256, 66], // TQ2_0
  39: [32, 17], // MXFP4
};
