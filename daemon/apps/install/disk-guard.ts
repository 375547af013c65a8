import { statfs } from 'node:fs/promises';
import { JobFailed } from '../../jobs/errors.ts';

const LOOK_EVERY_MS = 500;
/** What is left alone for the rest of the machine: a disk that is full to the last byte breaks more than an install. */
const RESERVE_BYTES = 256 * 1024 ** 2;
const RESERVE_SHARE = 0.05;

/**
 * Refuses work that would fill the disk.
 * @throws JobFailed when a folder's disk has no room for so many bytes
 */
export async function needDisk(folder: string, bytes: number): Promise<void> {
  const { freeBytes, reserveBytes } = await diskOf(folder);
  if (freeBytes - reserveBytes >= bytes) return;
  throw diskFull(
    bytes === 0
      ? `The disk is nearly full: ${megabytes(freeBytes)} are left.`
      : `This needs about ${megabytes(bytes)} of disk, and ${megabytes(Math.max(0, freeBytes - reserveBytes))} are left.`,
  );
}

/** Watches a disk while something is built on it, and aborts `signal` before it is full. */
export function guardDisk(folder: string): { readonly signal: AbortSignal; end(): void } {
  const full = new AbortController();
  const timer = setInterval(() => {
    diskOf(folder).then(
      ({ freeBytes, reserveBytes }) => {
        if (freeBytes < reserveBytes) full.abort(diskFull('The disk was getting full, so the install was ended.'));
      },
      () => {}, // a folder that is gone is seen by what works in it
    );
  }, LOOK_EVERY_MS);
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
