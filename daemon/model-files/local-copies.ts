import { link, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { byteText } from '../contract/common/byte-text.ts';
import type { GgufFacts } from '../contract/model-files/model-files.ts';
import { KeyedMutex } from '../shared/async/mutex.ts';
import { succeeds } from '../shared/async/succeeds.ts';
import { diskSpace } from '../shared/files/disk-space.ts';
import { makeFolder } from '../shared/files/make-folder.ts';
import { DiskFull } from '../shared/files/storage-errors.ts';
import { ModelFileError } from './errors.ts';
import { downloadFile, type FileDownloadDeps, type ModelFile } from './file-download.ts';
import type { GgufCheck } from './gguf-check.ts';
import type { ModelStore } from './model-store.ts';
import { discardPart, partOf, sha256Of, sizeOf } from './partial-file.ts';
import { SharedDownloads } from './shared-downloads.ts';

interface LocalCopiesDeps extends FileDownloadDeps {
  readonly folder: string;
  readonly store: ModelStore;
  readonly check: GgufCheck;
  /** The space that a download leaves free on the disk, bytes. */
  readonly reserveBytes: number;
}

/** The copies of the hub's files on this machine: downloaded once, replaced when the disk has changed them. */
export class LocalCopies {
  readonly #deps: LocalCopiesDeps;
  readonly #downloads = new SharedDownloads();
  /** Held during the download of a content, by its hash. */
  readonly #contents = new KeyedMutex();

  constructor(deps: LocalCopiesDeps) {
    this.#deps = deps;
  }

  /** The bytes of these files that are neither here nor on their way. */
  async missingBytes(files: readonly ModelFile[]): Promise<number> {
    let missing = 0;
    for (const { repository, commit, file } of files) {
      const location = this.#deps.store.locationOf({ repository, commit, file });
      if (this.#downloads.isActive(location) || (await sizeOf(location)) === file.size) continue;
      if (file.sha256 !== null && (await this.#deps.store.findContent(file.sha256, file.size))) continue;
      missing += Math.max(0, file.size - ((await sizeOf(partOf(location))) ?? 0));
    }
    return missing;
  }

  /** The space that the disk lacks for a download of so many bytes, beside the downloads under way; 0: it fits. */
  lackingBytes(missing: number, freeBytes: number): number {
    if (missing === 0) return 0;
    return Math.max(0, missing + this.#downloads.pendingBytes + this.#deps.reserveBytes - freeBytes);
  }

  /** @throws DiskFull when the files that are not here do not fit */
  async needSpace(files: readonly ModelFile[]): Promise<void> {
    const missing = await this.missingBytes(files);
    if (missing === 0) return;
    const { folder } = this.#deps;
    await makeFolder(folder);
    const lacking = this.lackingBytes(missing, (await diskSpace(folder)).freeBytes);
    if (lacking > 0) throw tooLittleSpace(folder, lacking);
  }

  /** Downloads a file unless it is here. @throws HubError, ModelFileError, StorageError, or the reason of the signal */
  async fetch(wanted: ModelFile, downloaded: DownloadedBytes, signal: AbortSignal): Promise<void> {
    const { path, size } = wanted.file;
    const location = this.#deps.store.locationOf(wanted);
    const there = await sizeOf(location);
    if (there !== size) {
      if (there !== null) await this.#discard(wanted, `it has ${there} bytes instead of ${size}`);
      await this.#downloads.run(location, size, (progress) => this.#download(wanted, location, progress), {
        signal,
        onBytes: (bytes) => downloaded.set(path, bytes),
      });
    } else {
      // Of a daemon that was killed right after its download. The file is whole: what cannot be removed does no harm.
      await discardPart(location).catch(() => {});
    }
    downloaded.set(path, size);
  }

  async #download(
    wanted: ModelFile,
    location: string,
    progress: { readonly signal: AbortSignal; readonly onBytes: (bytes: number) => void },
  ): Promise<void> {
    const { sha256, size, path } = wanted.file;
    // The same content may be on its way for another repository or commit.
    const release = sha256 === null ? () => {} : await this.#contents.acquire(sha256, progress.signal);
    try {
      const same = sha256 === null ? null : await this.#deps.store.findContent(sha256, size);
      // The disk may have changed that one.
      const isSame = same !== null && (await sha256Of(same, progress.signal)) === sha256;
      if (isSame) await makeFolder(dirname(location));
      if (isSame && (await succeeds(link(same, location)))) {
        await discardPart(location);
        this.#deps.log.info(`model-files: ${path} is the same file as ${same}`);
      } else await downloadFile(wanted, location, this.#deps, progress);
    } finally {
      release();
    }
  }

  /** Checks a file. One that the disk has changed is downloaded again, once. */
  async verified(wanted: ModelFile, downloaded: DownloadedBytes, signal: AbortSignal): Promise<GgufFacts> {
    const location = this.#deps.store.locationOf(wanted);
    try {
      return await this.#deps.check.check(location, signal);
    } catch (error) {
      const { sha256 } = wanted.file;
      if (!(error instanceof ModelFileError) || sha256 === null) throw error;
      if ((await sha256Of(location, signal)) === sha256) throw error; // the hub's own file is no model
      await this.#discard(wanted, error.message);
    }
    await this.fetch(wanted, downloaded, signal);
    return this.#deps.check.check(location, signal);
  }

  async #discard(wanted: ModelFile, why: string): Promise<void> {
    this.#deps.log.warn(`model-files: ${wanted.file.path} has changed on the disk and is downloaded again: ${why}`);
    await rm(this.#deps.store.locationOf(wanted), { force: true, recursive: true });
  }
}

/** The error for a folder whose disk lacks space for a download. */
function tooLittleSpace(folder: string, lackingBytes: number): DiskFull {
  const message = `The disk of ${folder} has too little space: ${byteText(lackingBytes)} more are needed.`;
  return new DiskFull(folder, { message });
}

export interface ModelProgress {
  /** `verify`: all bytes are there, and are checked. */
  readonly phase: 'download' | 'verify';
  readonly doneBytes: number;
  readonly totalBytes: number;
}

/** Adds up the downloaded bytes of several files. */
export class DownloadedBytes {
  readonly #totalBytes: number;
  readonly #onProgress: (progress: ModelProgress) => void;
  readonly #bytes = new Map<string, number>();
  #doneBytes = 0;

  /** @param onProgress called at each change */
  constructor(totalBytes: number, onProgress: (progress: ModelProgress) => void) {
    this.#totalBytes = totalBytes;
    this.#onProgress = onProgress;
  }

  /** @param bytes how many bytes of a file are on the disk */
  set(path: string, bytes: number): void {
    this.#doneBytes += bytes - (this.#bytes.get(path) ?? 0);
    this.#bytes.set(path, bytes);
    this.#onProgress({ phase: 'download', doneBytes: this.#doneBytes, totalBytes: this.#totalBytes });
  }

  verifying(): void {
    this.#onProgress({ phase: 'verify', doneBytes: this.#totalBytes, totalBytes: this.#totalBytes });
  }
}
