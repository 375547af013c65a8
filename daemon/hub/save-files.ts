import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { HubTrouble } from './errors.ts';
import { checkPaths, type HubFile } from './repository-files.ts';

const PARALLEL = 4;
/** How what stands for a large file in a repository begins; it is at most 1 KB long. */
const POINTER = /^version https:\/\/[\w.-]+\/spec\/v\d+\n/;
const POINTER_BYTES = 1_024;

export interface SaveOptions {
  readonly signal: AbortSignal;
  /** Told of each piece as it comes: its length. */
  readonly onBytes: (bytes: number) => void;
}

/**
 * Writes files to a folder as they come, some at a time. Once it has settled nothing more is written.
 * @param toDir is new: nothing in it is overwritten
 * @param open begins to download a file
 * @throws HubTrouble, an error of the file system, or the reason of the signal
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
      await saveFile(file, toDir, (of) => open(of, either), { signal: either, onBytes });
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, () => work().catch((error: unknown) => failing.abort(error))));
  either.throwIfAborted();
}

async function saveFile(
  file: HubFile,
  toDir: string,
  open: (file: HubFile) => Promise<AsyncIterable<Uint8Array>>,
  { signal, onBytes }: SaveOptions,
): Promise<void> {
  const target = join(toDir, ...file.path.split('/'));
  await mkdir(dirname(target), { recursive: true });
  if (file.size === 0) return writeFile(target, '', { flag: 'wx' });
  const check = contentCheck(file);
  await pipeline(
    await open(file),
    async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        check.add(chunk);
        onBytes(chunk.length);
        yield chunk;
      }
      check.end();
    },
    createWriteStream(target, { flags: 'wx' }),
    { signal },
  );
}

/** Whether what comes is the file that was listed. */
function contentCheck({ path, size, sha256 }: HubFile) {
  const hash = sha256 === null ? null : createHash('sha256');
  let bytes = 0;
  let beginning = '';
  return {
    add(chunk: Uint8Array): void {
      bytes += chunk.length;
      hash?.update(chunk);
      if (beginning.length < POINTER_BYTES) beginning += Buffer.from(chunk).toString('latin1', 0, POINTER_BYTES);
    },
    /** @throws HubTrouble */
    end(): void {
      if (bytes !== size) throw new HubTrouble('broken', `The hub sent ${bytes} bytes of ${path}, which has ${size}.`);
      if (hash && hash.digest('hex') !== sha256) {
        throw new HubTrouble('broken', `What the hub sent of ${path} is not what it had announced.`);
      }
      if (!hash && size <= POINTER_BYTES && POINTER.test(beginning)) {
        throw new HubTrouble(
          'broken',
          `${path} only points to a large file, which the hub does not have.`,
          'Tell the author of the app.',
        );
      }
    },
  };
}
