import { byteText } from '../../contract/common/byte-text.ts';
import type { Clock } from '../../shared/clock.ts';
import { diskSpace } from '../../shared/files/disk-space.ts';
import { DiskFull } from '../../shared/files/storage-errors.ts';

const POLL_EVERY_MS = 500;
/** Space reserved for other programs of the machine. */
const RESERVE_BYTES = 256 * 1024 ** 2;
const RESERVE_SHARE = 0.05;
/** A disk with less than this is full: a program writes in blocks. */
const FULL_BYTES = 64 * 1024;

/**
 * Checks the free space of a folder's disk.
 * @throws DiskFull when fewer than `bytes` are free besides the reserve
 */
export async function needDisk(folder: string, bytes: number): Promise<void> {
  const { freeBytes, reserveBytes } = await diskOf(folder);
  if (freeBytes - reserveBytes >= bytes) return;
  const message =
    bytes === 0
      ? `The disk of ${folder} is nearly full: ${byteText(freeBytes)} are free.`
      : `This needs about ${byteText(bytes)} on the disk of ${folder}, and ${byteText(Math.max(0, freeBytes - reserveBytes))} are free.`;
  throw new DiskFull(folder, { message });
}

/** Polls the free space of a disk during a build, and aborts `signal` before the disk is full. */
export function guardDisk(clock: Clock, folder: string): { readonly signal: AbortSignal; end(): void } {
  const full = new AbortController();
  const end = clock.every(POLL_EVERY_MS, () => {
    diskOf(folder).then(
      ({ freeBytes, reserveBytes }) => {
        if (freeBytes >= reserveBytes) return;
        full.abort(new DiskFull(folder, { message: `The disk of ${folder} was nearly full, so this was stopped.` }));
      },
      () => {}, // the install itself notices a missing folder
    );
  });
  return { signal: full.signal, end };
}

async function diskOf(folder: string): Promise<{ freeBytes: number; reserveBytes: number }> {
  const { totalBytes, freeBytes } = await diskSpace(folder);
  return { freeBytes, reserveBytes: Math.min(RESERVE_BYTES, totalBytes * RESERVE_SHARE) };
}

/** Whether nothing more fits on a folder's disk, so that a program may have failed for that without a word. */
export async function isDiskFull(folder: string): Promise<boolean> {
  return (await diskSpace(folder)).freeBytes < FULL_BYTES;
}
