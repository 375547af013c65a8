import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { readJsonFile } from '../shared/files/json-file.ts';
import { makeFolder } from '../shared/files/make-folder.ts';
import { savingIn } from '../shared/files/storage-errors.ts';

/** The content of a partial file, stored beside it. */
const Description = z.object({
  repository: z.string(),
  commit: z.string(),
  path: z.string(),
  size: z.int().nonnegative(),
  sha256: z.string().nullable(),
});
export type PartialDescription = z.infer<typeof Description>;

/** The program in a container may be another user. The folders above keep others out. */
export const READABLE = 0o644;

export const partOf = (target: string) => `${target}.part`;
const descriptionOf = (target: string) => `${target}.part.json`;

/** A file that is being downloaded. Its bytes on the disk outlast the daemon, and a later download continues it. */
export class PartialFile implements AsyncDisposable {
  readonly #target: string;
  readonly #file: FileHandle;
  readonly #hash: Hash;
  #bytes: number;

  private constructor(target: string, file: FileHandle, hash: Hash, bytes: number) {
    this.#target = target;
    this.#file = file;
    this.#hash = hash;
    this.#bytes = bytes;
  }

  /**
   * Opens the partial file of a target, with the bytes of an earlier download of the same content. They are hashed again.
   * @throws StorageError, other errors of the file system, or the reason of the signal
   */
  static async open(target: string, description: PartialDescription, signal: AbortSignal): Promise<PartialFile> {
    const part = partOf(target);
    const folder = dirname(target);
    await makeFolder(folder);
    const known = await readDescription(target);
    if (!known || !isSame(known, description) || ((await sizeOf(part)) ?? 0) > description.size) {
      await discardPart(target);
      // Not atomic, which would leave drafts of killed daemons: without a part, a damaged one does no harm.
      await savingIn(folder, () => writeFile(descriptionOf(target), JSON.stringify(description)));
    }
    const hash = createHash('sha256');
    const there = await hashInto(hash, part, signal);
    return new PartialFile(target, await savingIn(folder, () => open(part, 'a')), hash, there);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** @throws StorageError */
  async append(chunk: Uint8Array): Promise<void> {
    await savingIn(dirname(this.#target), () => this.#file.writeFile(chunk));
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
  }

  /** The SHA-256 of all bytes. */
  sha256(): string {
    return this.#hash.copy().digest('hex');
  }

  /** Gives the file its name. @throws StorageError */
  async finish(): Promise<void> {
    await savingIn(dirname(this.#target), async () => {
      await this.#file.chmod(READABLE);
      await this.#file.sync();
      await this.#file.close();
      await rename(partOf(this.#target), this.#target);
    });
    await rm(descriptionOf(this.#target), { force: true });
  }

  async discard(): Promise<void> {
    await this[Symbol.asyncDispose]();
    await discardPart(this.#target);
  }

  /** Closes the file, which stays. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }
}

/** The files of a target's download in progress. */
export const partFilesOf = (target: string) => [partOf(target), descriptionOf(target)];

/** Removes the partial file of a target. */
export async function discardPart(target: string): Promise<void> {
  for (const path of partFilesOf(target)) await rm(path, { force: true });
}

/** The description of a target's partial file; null: none, or a damaged one. */
export function readDescription(target: string): Promise<PartialDescription | null> {
  return readJsonFile(descriptionOf(target), Description).catch(() => null);
}

/** The SHA-256 of a file, read as a stream. */
export async function sha256Of(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await hashInto(hash, path, signal);
  return hash.digest('hex');
}

/** @returns the size of a file; null: there is none */
export async function sizeOf(path: string): Promise<number | null> {
  return stat(path).then(
    (found) => (found.isFile() ? found.size : null),
    () => null,
  );
}

/** The same content, wherever it comes from. */
function isSame(a: PartialDescription, b: PartialDescription): boolean {
  if (a.size !== b.size || a.sha256 !== b.sha256) return false;
  return a.sha256 !== null || (a.repository === b.repository && a.commit === b.commit && a.path === b.path);
}

async function hashInto(hash: Hash, path: string, signal: AbortSignal): Promise<number> {
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(path, { signal }) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      bytes += chunk.length;
    }
  } catch (error) {
    signal.throwIfAborted();
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return bytes;
}
