import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
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
  const chunks = await open(file);
  const output = createWriteStream(target, { flags: 'wx' });
  const closed = new Promise<void>((resolve) => output.once('close', resolve));
  try {
    await pipeline(
      chunks,
      async function* (received: AsyncIterable<Uint8Array>) {
        for await (const chunk of received) {
          check.add(chunk);
          onBytes(chunk.length);
          yield chunk;
        }
        check.end();
      },
      output,
      { signal },
    );
  } finally {
    await closed; // a pipeline that fails settles before its file is opened, which creates it
  }
}

/** Checks that the download is the file that was listed. */
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
    /** @throws HubError */
    end(): void {
      if (bytes !== size) throw new HubError('broken', `The hub sent ${bytes} bytes of ${path}, which has ${size}.`);
      if (hash && hash.digest('hex') !== sha256) {
        throw new HubError('broken', `The content of ${path} does not match the hub's list of files.`);
      }
      if (!hash && size <= POINTER_BYTES && POINTER.test(beginning)) {
        throw new HubError(
          'broken',
          `${path} only points to a large file, which is missing on the hub.`,
          'Tell its author.',
        );
      }
    },
  };
}
