import { lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childMark } from '../processes/child-environment.ts';

/** Takes the place of the lock and of the instance file of a data folder whose disk takes nothing. */
export interface StandIn {
  readonly lockFile: string;
  readonly instanceFile: string;
}

/** On Linux, a disk in memory that every user may write to. */
const MEMORY = '/dev/shm';

/**
 * The stand-in of a data folder, in a folder that only this user can enter. The temporary folder may be on the same full
 * disk, so that memory is tried first. All processes of this user on this machine find the same one.
 * @returns null when there is none
 */
export async function standInOf(root: string): Promise<StandIn | null> {
  const mark = await childMark(root);
  for (const place of process.platform === 'linux' ? [MEMORY, tmpdir()] : [tmpdir()]) {
    const folder = join(place, `robot-daemon-${process.getuid?.() ?? 0}`);
    if (await isPrivateFolder(folder)) {
      return { lockFile: join(folder, `${mark}.lock`), instanceFile: join(folder, `${mark}.json`) };
    }
  }
  return null;
}

async function isPrivateFolder(folder: string): Promise<boolean> {
  await mkdir(folder, { mode: 0o700 }).catch(() => {});
  const stats = await lstat(folder).catch(() => null);
  if (!stats?.isDirectory()) return false;
  // Windows has a temporary folder for each user.
  return process.platform === 'win32' || (stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0);
}
