import { statfs } from 'node:fs/promises';
import { JobFailed } from '../../jobs/errors.ts';

const POLL_EVERY_MS = 500;
/** Space reserved for other programs of the machine. */
const RESERVE_BYTES = 256 * 1024 ** 2;
const RESERVE_SHARE = 0.05;

/**
 * Checks the free space of a folder's disk.
 * @throws JobFailed when fewer than `bytes` are free besides the reserve
 */
export async function needDisk(folder: string, bytes: number): Promise<void> {
  const { freeBytes, reserveBytes } = await diskOf(folder);
  if (freeBytes - reserveBytes >= bytes) return;
  throw diskFull(
    bytes === 0
      ? `The disk is nearly full: ${megabytes(freeBytes)} are free.`
      : `This needs about ${megabytes(bytes)} of disk space, and ${megabytes(Math.max(0, freeBytes - reserveBytes))} are free.`,
  );
}

/** Polls the free space of a disk during a build, and aborts `signal` before the disk is full. */
export function guardDisk(folder: string): { readonly signal: AbortSignal; end(): void } {
  const full = new AbortController();
  const timer = setInterval(() => {
    diskOf(folder).then(
      ({ freeBytes, reserveBytes }) => {
        if (freeBytes < reserveBytes) full.abort(diskFull('The disk was nearly full, so the install was stopped.'));
      },
      () => {}, // the install itself notices a missing folder
    );
  }, POLL_EVERY_MS);
  return { signal: full.signal, end: () => clearInterval(timer) };
}

async function diskOf(folder: string): Promise<{ freeBytes: number; reserveBytes: number }> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, reserveBytes: Math.min(RESERVE_BYTES, blocks * bsize * RESERVE_SHARE) };
}

function diskFull(message: string): JobFailed {
  return new JobFailed({
    reason: 'disk-full',
    message,
    action: 'Free some space (remove apps that you no longer need), then install again.',
  });
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6).toLocaleString('en')} MB`;
}
