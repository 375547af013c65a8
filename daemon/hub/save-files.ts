import { createHash } from 'node:crypto';
import { mkdir, open as openFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { HubError } from './errors.ts';
import { checkPaths, type HubFile } from './repository-files.ts';

const PARALLEL = 4;
/** The beginning of a pointer to a large file, which is at most 1 KB long. */
const POINTER = /^version https:\/\/[\w.-]+\/spec\/v\d+\n/;
const POINTER_BYTES = 1_024;

export interface SaveOptions {
  readonly signal: AbortSignal;
  /** Called with the length of each chunk. */
  readonly onBytes: (bytes: number) => void;
}

/**
 * Downloads files to a folder, a few at a time. Nothing is written after it has settled.
 * @param toDir a new folder; no file is overwritten
 * @param open begins to download a file
 * @throws HubError, an error of the file system, or the reason of the signal
 */
export async function saveFiles(
  files: readonly HubFile[],
  toDir: string,
  open: (file: HubFile, signal: AbortSignal) => Promise<AsyncIterable<Uint8Array>>,
  { signal, onBytes }: SaveOptions,
): Promise<void> {
  checkPaths(files);
  const failing = new AbortController();
  const either = AbortSignal.any([signal, failing.signal]);
  const waiting = files.values();
  const work = async () => {
    for (const file of waiting) {
      either.throwIfAborted();
      await saveFile(file, toDir, () => open(file, either), { signal: either, onBytes });
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, () => work().catch((error: unknown) => failing.abort(error))));
  either.throwIfAborted();
}

/** Saves a file, and checks that it is the one that was listed. */
async function saveFile(
  { path, size, sha256 }: HubFile,
  toDir: string,
  open: () => Promise<AsyncIterable<Uint8Array>>,
  { signal, onBytes }: SaveOptions,
): Promise<void> {
  const target = join(toDir, ...path.split('/'));
  await mkdir(dirname(target), { recursive: true });
  if (size === 0) return writeFile(target, '', { flag: 'wx' });
  const chunks = await open();
  await using output = await openFile(target, 'wx');
  const hash = createHash('sha256');
  let bytes = 0;
  let beginning = '';
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    await output.writeFile(chunk);
    hash.update(chunk);
    bytes += chunk.length;
    if (beginning.length < POINTER_BYTES) beginning += Buffer.from(chunk).toString('latin1', 0, POINTER_BYTES);
    onBytes(chunk.length);
  }
  if (bytes !== size) throw new HubError('broken', `The hub sent ${bytes} bytes of ${path}, which has ${size}.`);
  if (sha256 !== null && hash.digest('hex') !== sha256) {
    throw new HubError('broken', `The content of ${path} does not match the hub's list of files.`);
  }
  if (sha256 === null && size <= POINTER_BYTES && POINTER.test(beginning)) {
    const message = `${path} only points to a large file, which is missing on the hub.`;
    throw new HubError('broken', message, 'Tell its author.');
  }
}
