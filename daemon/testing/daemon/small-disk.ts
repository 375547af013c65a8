import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../shared/processes/run-command.ts';
import { SHARED_TOOLS } from './test-daemon.ts';

/** A data folder on its own disk, which a test can fill. */
export interface SmallDisk extends AsyncDisposable {
  /** The root of the disk, which contains the data folder. */
  readonly dir: string;
  readonly dataDir: string;
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
  return {
    dir,
    dataDir,
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
