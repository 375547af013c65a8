import { HubError, type HubErrorKind } from '../hub/errors.ts';
import type { HubClient } from '../hub/hub-client.ts';
import type { HubFile } from '../hub/repository-files.ts';
import { type Clock, sleepOn } from '../shared/clock.ts';
import type { Logger } from '../shared/logger.ts';
import { PartialFile } from './partial-file.ts';

export interface FileDownloadDeps {
  readonly hub: Pick<HubClient, 'open'>;
  /** The wait before the first retry without any progress, milliseconds; doubles with each. */
  readonly retryMs: number;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A file of a model at a commit. */
export interface ModelFile {
  readonly repository: string;
  readonly commit: string;
  readonly file: HubFile;
}

/** Retries in a row that bring no byte. */
const MAX_FRUITLESS = 3;
/** Failures of a transfer after which it is continued. */
const transient: ReadonlySet<HubErrorKind> = new Set(['unreachable', 'stalled', 'rate-limited']);

/**
 * Downloads a file, or continues an earlier download of it, and checks its content.
 * @param target the path of the file, which exists only when all of it is there
 * @throws HubError, StorageError, another error of the file system, or the reason of the signal. The downloaded part then
 * stays for the next call, except after wrong content.
 */
export async function downloadFile(
  wanted: ModelFile,
  target: string,
  deps: FileDownloadDeps,
  { signal, onBytes }: { signal: AbortSignal; onBytes: (bytes: number) => void },
): Promise<void> {
  const { path, size, sha256 } = wanted.file;
  const about = { repository: wanted.repository, commit: wanted.commit, path, size, sha256 };
  for (let isSecond = false; ; isSecond = true) {
    await using part = await PartialFile.open(target, about, signal);
    onBytes(part.bytes);
    await fill(part, wanted, deps, { signal, onBytes });
    if (part.bytes === size && (sha256 === null || part.sha256() === sha256)) return await part.finish();
    await part.discard();
    const message = `The content of ${path} does not match the hub's list of files`;
    if (isSecond) throw new HubError('broken', `${message}, twice.`);
    deps.log.warn(`model-files: ${message}; it is downloaded again`);
  }
}

/** Appends bytes until the file has all of them, or more. */
async function fill(
  part: PartialFile,
  { repository, commit, file }: ModelFile,
  { hub, retryMs, clock, log }: FileDownloadDeps,
  { signal, onBytes }: { signal: AbortSignal; onBytes: (bytes: number) => void },
): Promise<void> {
  for (let fruitless = 0; part.bytes < file.size; ) {
    const before = part.bytes;
    try {
      const model = { type: 'model', id: repository } as const;
      for await (const chunk of await hub.open(model, commit, file, before, signal)) {
        await part.append(chunk);
        onBytes(part.bytes);
      }
      if (part.bytes < file.size) throw new HubError('unreachable', 'The hub ended the transfer early.');
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof HubError && transient.has(error.kind))) throw error;
      fruitless = part.bytes > before ? 0 : fruitless + 1;
      if (fruitless > MAX_FRUITLESS) throw error;
      log.warn(`model-files: ${file.path} continues at byte ${part.bytes}: ${error.message}`);
      await sleepOn(clock, retryMs * 2 ** fruitless, signal);
    }
  }
}
