import type { GGUFParseOutput, GGUFTensorInfo, MetadataValue } from '@huggingface/gguf';
import type { GgufFacts } from '../../contract/model-files/model-files.ts';
import { tensorBlock } from './tensor-types.ts';

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
    const block = tensorBlock(dtype);
    const bytes = block === null ? 0n : (elements(shape) / BigInt(block.elements)) * BigInt(block.bytes);
    const own = dataOffset + offset + bytes;
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
