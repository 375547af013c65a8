/** A value of a GGUF file's metadata, with the type that readers expect. */
export type GgufValue =
  | { readonly u32: number }
  | { readonly i32s: readonly number[] }
  | { readonly f32: number }
  | { readonly f32s: readonly number[] }
  | { readonly text: string }
  | { readonly texts: readonly string[] };

export interface GgufTensor {
  readonly name: string;
  /** Innermost dimension first. */
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

/** A tensor in a file: its shape, and how its numbers are stored. */
export interface GgufTensorInfo extends Pick<GgufTensor, 'name' | 'shape'> {
  /** `q8_0`: blocks of 32 numbers of 8 bits, each block with a factor of 16 bits before it. */
  readonly type: 'f32' | 'q8_0';
}

const ALIGNMENT = 32;
const TYPE = { u32: 4, i32: 5, f32: 6, text: 8, array: 9 };
/** The numbers of the tensors' types, and the bytes of one number. */
const TENSOR_TYPE = { f32: { id: 0, bytes: 4 }, q8_0: { id: 8, bytes: 34 / 32 } };

/** The bytes of a GGUF file, version 3, with 32 bit tensors. */
export function ggufFile(metadata: Readonly<Record<string, GgufValue>>, tensors: readonly GgufTensor[]): Buffer {
  const infos = tensors.map(({ name, shape }): GgufTensorInfo => ({ name, shape, type: 'f32' }));
  const body = tensors.map(({ values }) => pad(Buffer.from(values.buffer, values.byteOffset, values.byteLength)));
  return Buffer.concat([ggufHead(metadata, infos), ...body]);
}

/** The bytes before the tensors. These follow in the given order, each in as many bytes as `paddedBytes` says. */
export function ggufHead(metadata: Readonly<Record<string, GgufValue>>, tensors: readonly GgufTensorInfo[]): Buffer {
  const head: Buffer[] = [Buffer.from('GGUF'), u32(3), u64(tensors.length), u64(Object.keys(metadata).length)];
  for (const [key, value] of Object.entries(metadata)) head.push(text(key), ...encoded(value));
  let offset = 0;
  for (const tensor of tensors) {
    const { name, shape, type } = tensor;
    head.push(text(name), u32(shape.length), ...shape.map(u64), u32(TENSOR_TYPE[type].id), u64(offset));
    offset += paddedBytes(tensor);
  }
  return pad(Buffer.concat(head));
}

/** The bytes that a tensor takes, with the zeros that follow its numbers. */
export function paddedBytes({ shape, type }: GgufTensorInfo): number {
  return padded(shape.reduce((product, size) => product * size) * TENSOR_TYPE[type].bytes);
}

function encoded(value: GgufValue): Buffer[] {
  if ('u32' in value) return [u32(TYPE.u32), u32(value.u32)];
  if ('f32' in value) return [u32(TYPE.f32), numbers(new Float32Array([value.f32]))];
  if ('text' in value) return [u32(TYPE.text), text(value.text)];
  if ('texts' in value) return [...array(TYPE.text, value.texts.length), ...value.texts.map(text)];
  if ('f32s' in value) return [...array(TYPE.f32, value.f32s.length), numbers(new Float32Array(value.f32s))];
  return [...array(TYPE.i32, value.i32s.length), numbers(new Int32Array(value.i32s))];
}

function array(type: number, length: number): Buffer[] {
  return [u32(TYPE.array), u32(type), u64(length)];
}

function numbers(values: Float32Array | Int32Array): Buffer {
  return Buffer.from(values.buffer);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([u64(bytes.length), bytes]);
}

function padded(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}

function pad(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(padded(bytes.length) - bytes.length)]);
}
