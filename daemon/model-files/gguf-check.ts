import type { BigIntStats } from 'node:fs';
import { constants, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { GgufFacts } from '../contract/model-files/model-files.ts';
import type { Clock } from '../shared/clock.ts';
import { ModelFileError } from './errors.ts';
import type { GgufHeader } from './gguf-facts.ts';
import type { GgufReply } from './gguf-reader.ts';

/** Magic, version, and the counts of tensors and metadata. */
const SMALLEST_BYTES = 24;
const BEGINNING_BYTES = 64;
/** A tensor and a metadata entry with empty names. */
const TENSOR_BYTES = 24;
const ENTRY_BYTES = 13;
const MAX_CACHED = 200;

/** Checks GGUF files, and remembers the result until the file changes. */
export class GgufCheck {
  readonly #clock: Clock;
  readonly #program: string;
  readonly #passed = new Map<string, { readonly identity: string; readonly facts: GgufFacts }>();

  /** @param program the file of the worker thread, gguf-reader */
  constructor(clock: Clock, program: string) {
    this.#clock = clock;
    this.#program = program;
  }

  /**
   * Checks that a file is GGUF and has all of its tensors.
   * @param path absolute
   * @throws ModelFileError, or the reason of the signal
   */
  async check(path: string, signal: AbortSignal): Promise<GgufFacts> {
    const { stats, beginning } = await readBeginning(path);
    const identity = [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join();
    const known = this.#passed.get(path);
    if (known?.identity === identity) return known.facts;
    this.#passed.delete(path);
    const facts = await this.#read(path, Number(stats.size), beginning, signal);
    for (const oldest of this.#passed.keys()) if (this.#passed.size >= MAX_CACHED) this.#passed.delete(oldest);
    this.#passed.set(path, { identity, facts });
    return facts;
  }

  async #read(path: string, size: number, beginning: Buffer, signal: AbortSignal): Promise<GgufFacts> {
    refuseBeginning(path, size, beginning);
    try {
      const reading = { program: this.#program, clock: this.#clock, signal };
      const { facts, headerBytes, tensorsEnd } = await readHeader(path, reading);
      const needed = Math.max(headerBytes, tensorsEnd);
      if (needed > size) throw truncated(path, size, needed);
      return { ...facts, sizeBytes: size };
    } catch (error) {
      if (!(error instanceof HeaderUnreadable)) throw error;
      const message = `${basename(path)} has a damaged header: ${error.message}.`;
      throw new ModelFileError('not-gguf', message, 'Download the file again, or use another one.', error);
    }
  }
}

/** Opens without waiting, which a named pipe would otherwise do. */
async function readBeginning(path: string): Promise<{ stats: BigIntStats; beginning: Buffer }> {
  try {
    await using file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = await file.stat({ bigint: true });
    if (!stats.isFile()) throw notAFile(path, stats);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGINNING_BYTES), 0, BEGINNING_BYTES, 0);
    return { stats, beginning: buffer.subarray(0, bytesRead) };
  } catch (error) {
    if (error instanceof ModelFileError) throw error;
    throw systemError(path, error as NodeJS.ErrnoException);
  }
}

function refuseBeginning(path: string, size: number, beginning: Buffer): void {
  const name = basename(path);
  const text = beginning.toString('latin1');
  const refuse = (message: string, action: string) => new ModelFileError('not-gguf', `${name} ${message}`, action);
  if (size === 0) throw new ModelFileError('truncated', `${name} is empty.`, 'Download it again.');
  if (/^\s*<(?:!doctype|html|\?xml)/i.test(text)) {
    throw refuse('is a web page, not a model.', 'Download the file itself instead of the page about it.');
  }
  if (/^version https:\/\/[\w.-]+\/spec\//.test(text)) {
    throw refuse('only points to a large file.', 'Download the file itself, for example with git lfs pull.');
  }
  if (text.slice(0, 4) !== 'GGUF') throw refuse('is not a GGUF file.', 'Use a model in the format GGUF.');
  if (size < SMALLEST_BYTES) throw truncated(path, size, SMALLEST_BYTES);
  const version = beginning.readUInt32LE(4);
  if (version > 0 && version <= 3) {
    const needed = smallestHeader(version, beginning);
    if (needed > size) throw truncated(path, size, needed);
    return;
  }
  throw (version & 0xffff) === 0
    ? refuse('has big-endian numbers.', 'Use a little-endian file, which most are.')
    : refuse(`has the version ${version} of GGUF, which is unknown here.`, 'Use a file of version 2 or 3.');
}

/** The size of a header with the claimed counts, whatever is in it: a small file with large claims is refused at once. */
function smallestHeader(version: number, beginning: Buffer): number {
  if (version === 1) return SMALLEST_BYTES;
  const [tensors, entries] = [beginning.readBigUInt64LE(8), beginning.readBigUInt64LE(16)];
  return SMALLEST_BYTES + TENSOR_BYTES * Number(tensors) + ENTRY_BYTES * Number(entries);
}

function truncated(path: string, size: number, needed: number): ModelFileError {
  const message = `${basename(path)} is cut off: its header describes ${bytesText(needed)}, and it has ${bytesText(size)}.`;
  return new ModelFileError('truncated', message, 'Download it again.');
}

const bytesText = (bytes: number) => `${bytes.toLocaleString('en')} bytes`;

function notAFile(path: string, stats: BigIntStats): ModelFileError {
  const what = stats.isDirectory() ? 'a folder' : 'not a regular file';
  return new ModelFileError('unreadable', `${path} is ${what}.`, 'Give the path of the .gguf file.');
}

function systemError(path: string, error: NodeJS.ErrnoException): ModelFileError {
  const fail = (kind: 'missing' | 'unreadable', message: string, action: string) =>
    new ModelFileError(kind, message, action, error);
  switch (error.code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return fail('missing', `There is no file ${path}.`, 'Check the path.');
    case 'EACCES':
    case 'EPERM':
      return fail('unreadable', `${path} may not be read by this user.`, 'Change the permissions of the file.');
    case 'EISDIR':
      return fail('unreadable', `${path} is a folder.`, 'Give the path of the .gguf file.');
    default:
      return fail('unreadable', `${path} cannot be read (${error.code ?? error.message}).`, 'Check the disk it is on.');
  }
}

/** Several times the time for the largest known vocabulary on a slow machine. */
const LIMIT_MS = 30_000;
/** The parsed strings of the largest known vocabulary take 100 MB. */
const MAX_HEAP_MB = 512;

/** A header that cannot be read. */
class HeaderUnreadable extends Error {}

/**
 * Parses the header of a GGUF file in a worker thread, which has limits on its time and memory.
 * @param program the file of the worker, gguf-reader
 * @throws HeaderUnreadable, or the reason of the signal
 */
async function readHeader(
  path: string,
  { program, clock, signal }: { program: string; clock: Clock; signal: AbortSignal },
): Promise<GgufHeader> {
  signal.throwIfAborted();
  const worker = new Worker(program, {
    workerData: path,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  const { promise, resolve, reject } = Promise.withResolvers<GgufReply>();
  const cancel = clock.after(LIMIT_MS, () => reject(new HeaderUnreadable('reading it takes too long')));
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  worker.once('message', resolve);
  worker.once('error', (error: NodeJS.ErrnoException) =>
    reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new HeaderUnreadable('it takes too much memory') : error),
  );
  worker.once('exit', () => reject(new HeaderUnreadable('reading it ended early')));
  try {
    const reply = await promise;
    if ('problem' in reply) throw new HeaderUnreadable(reply.problem);
    return reply.header;
  } finally {
    cancel();
    signal.removeEventListener('abort', onAbort);
    await worker.terminate();
  }
}
