import { open, rm, stat } from 'node:fs/promises';
import { sha256Of } from '../../model-files/partial-file.ts';
import { TransientFailure, withRetries } from '../../shared/async/retry.ts';
import type { Clock } from '../../shared/clock.ts';
import { DomainError } from '../../shared/domain-error.ts';
import { AddressRefused, safeFetch } from '../../shared/net/safe-fetch.ts';
import { type WatchErrors, watchedRequest } from '../../shared/net/watched-request.ts';

/** The download failed, or what arrived is not what was wanted. */
export class DownloadFailed extends DomainError {
  readonly kind: 'network' | 'checksum' | 'not-found';

  constructor(kind: DownloadFailed['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

export interface Download {
  readonly url: string;
  readonly sha256: string;
  /** Receives the bytes; a part of an earlier download is continued. */
  readonly file: string;
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** @param totalBytes null: unknown */
  readonly onBytes: (doneBytes: number, totalBytes: number | null) => void;
}

const ANSWER_MS = 30_000;
const STALL_MS = 30_000;
const PROGRESS_BYTES = 16 * 1024;
const policy = { retries: 3, retryMs: 1_000, longestRetryMs: 10_000, retriesMs: 20_000 };

/**
 * Downloads a file, from where an earlier download ended if there is one, and compares its checksum. A file with another
 * checksum is removed.
 * @throws DownloadFailed, AddressRefused, the reason of the signal, or the system's error when the disk is full
 */
export async function downloadFile(download: Download): Promise<void> {
  const { file, sha256, clock, signal, url } = download;
  await withRetries(clock, () => attempt(download), policy, signal);
  if ((await sha256Of(file, signal)) === sha256) return;
  await rm(file, { force: true });
  const message = `The archive from ${hostOf(url)} has another checksum than the one that is known.`;
  throw new DownloadFailed('checksum', message);
}

async function attempt({ url, file, maxBytes, clock, signal, onBytes }: Download): Promise<void> {
  const host = hostOf(url);
  const transient = (message: string) => new TransientFailure(new DownloadFailed('network', message), null);
  const errors: WatchErrors = {
    silent: (ms) => transient(`${host} has sent nothing for ${ms / 1000} s.`),
    tooLong: () => new DownloadFailed('checksum', `The archive from ${host} is larger than ${maxBytes / 1e6} MB.`),
    failed: (error) =>
      error instanceof AddressRefused ? error : transient(`${host} cannot be reached: ${causeOf(error)}.`),
  };
  const has = await stat(file).then(({ size }) => size, () => 0); // biome-ignore format: one line
  // The user's own setting may name a server without encryption; the checksum proves what arrives.
  const fetchSafely = safeFetch({ hubOrigin: new URL(url).origin });
  const headers = has > 0 ? { range: `bytes=${has}-` } : {};
  using answer = await watchedRequest(clock, (ending) => fetchSafely(url, { headers, signal: ending }), {
    ...{ signal, answerMs: ANSWER_MS, stallMs: STALL_MS, progressBytes: PROGRESS_BYTES, maxBytes, errors },
  });
  const { status } = answer.response;
  if (status === 416) return; // it is complete, or the checksum says that it is not
  if (status === 404 || status === 410)
    throw new DownloadFailed('not-found', `${host} has no such archive (${status}).`);
  if (status >= 500 || status === 429) throw transient(`${host} answered ${status}.`);
  if (status !== 200 && status !== 206) throw new DownloadFailed('network', `${host} answered ${status}.`);
  const start = status === 206 && startsAt(answer.response, has) ? has : 0;
  if (status === 206 && start !== has) throw new DownloadFailed('network', `${host} sent another part of the archive.`);
  const length = Number(answer.response.headers.get('content-length') ?? Number.NaN);
  const totalBytes = Number.isSafeInteger(length) ? start + length : null;
  await using output = await open(file, start === 0 ? 'w' : 'a', 0o600);
  let doneBytes = start;
  onBytes(doneBytes, totalBytes);
  for await (const chunk of answer.body) {
    doneBytes += chunk.length;
    if (doneBytes > maxBytes) throw errors.tooLong();
    await output.writeFile(chunk);
    onBytes(doneBytes, totalBytes);
  }
  if (totalBytes !== null && doneBytes < totalBytes) throw transient(`${host} ended the download early.`);
}

const startsAt = ({ headers }: Response, has: number) =>
  Number(/^bytes (\d+)-/.exec(headers.get('content-range') ?? '')?.[1]) === has;

const hostOf = (url: string) => new URL(url).host;

function causeOf(error: unknown): string {
  const { cause, message } = error as Error;
  return ((cause as NodeJS.ErrnoException | undefined)?.code ?? message).toString();
}
