import { mkdir, mkdtemp, rm, statfs, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../shared/processes/run-command.ts';
import { SHARED_TOOLS } from '../daemon/test-daemon.ts';

/** The smallest space that a file takes on it, in bytes. */
export const PAGE = 4_096;

/** A data folder on its own disk, which a test can fill. */
export interface SmallDisk extends AsyncDisposable {
  /** The root of the disk, which contains the data folder. */
  readonly dir: string;
  readonly dataDir: string;
  /** Fills it, so that so many bytes are free; also when it was filled before. */
  fill(freeBytes?: number): Promise<void>;
  /** Frees what was filled. */
  free(): Promise<void>;
  /** Makes it read-only for files opened from now on. @returns a function that makes it writable again */
  makeReadOnly(): Promise<() => Promise<void>>;
}

/** Whether this user may mount disks. */
export async function mayMount(): Promise<boolean> {
  const disk = await smallDisk(1);
  await disk?.[Symbol.asyncDispose]();
  return disk !== null;
}

/** Mounts a disk in memory. @returns null when mounting is not permitted */
export async function smallDisk(megabytes: number): Promise<SmallDisk | null> {
  const dir = await mkdtemp(join(tmpdir(), 'robot-desktop-disk-'));
  const run = (file: string, ...args: string[]) =>
    runCommand(file, args, { env: { PATH: process.env['PATH'] ?? '' }, deadlineMs: 10_000 });
  try {
    await run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', dir);
  } catch {
    await rm(dir, { recursive: true, force: true });
    return null;
  }
  const dataDir = join(dir, 'data');
  await mkdir(dataDir);
  await symlink(SHARED_TOOLS, join(dataDir, 'tools'));
  const filler = join(dir, 'filler');
  const free = () => rm(filler, { force: true });
  return {
    ...{ dir, dataDir, free },
    fill: async (freeBytes = 0) => {
      await free();
      const { bavail, bsize } = await statfs(dir);
      await writeFile(filler, Buffer.alloc(Math.max(0, bavail * bsize - freeBytes)));
    },
    makeReadOnly: async () => {
      // Over itself: the disk under it still has files open for writing, so that it cannot be made read-only.
      await run('mount', '--bind', dir, dir);
      await run('mount', '-o', 'remount,bind,ro', dir);
      return async () => void (await run('umount', '--lazy', dir));
    },
    [Symbol.asyncDispose]: async () => {
      await run('umount', '--lazy', dir);
      await rm(dir, { recursive: true, force: true });
    },
  };
}
