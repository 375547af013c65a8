import { lstat, stat } from 'node:fs/promises';
import { findObstacles } from '../shared/data-folder/obstacles.ts';
import type { DataPaths } from '../shared/files/data-paths.ts';
import type { CheckContext } from './check-context.ts';
import type { Finding } from './finding.ts';

/** The code of the finding that is repaired before the lock of the data folder is taken: it is in the lock's place. */
export const LOCK_OBSTRUCTED = 'lock-obstructed';

/** Finds what is in the place of the daemon's folders, files and lock. */
export async function checkObstacles({ paths, isHeld }: CheckContext): Promise<Finding[]> {
  const obstacles = await findObstacles(paths);
  const findings = obstacles.map(
    ({ path, what, problem }): Finding => ({
      ...{ code: 'obstructed', severity: 'broken', what: `${what}.`, where: path },
      fix:
        problem === 'read-only'
          ? { kind: 'by-hand', how: 'Give it to this user, unless it is meant to be so.' }
          : { kind: 'set-aside', path },
    }),
  );
  return isHeld ? findings : [...(await checkLock(paths)), ...findings];
}

async function checkLock({ lockFile: path }: DataPaths): Promise<Finding[]> {
  const stats = await stat(path).catch(() => lstat(path).catch(() => null));
  if (stats === null || (stats.isFile() && stats.size === 0)) return [];
  if (stats.isFile()) {
    const what = 'The lock file is damaged: it has content. The next start of the daemon empties it.';
    return [{ code: 'lock-damaged', severity: 'untidy', what, where: path, fix: { kind: 'empty-lock' } }];
  }
  const what = stats.isSymbolicLink()
    ? `${path} is a link to a file that does not exist.`
    : `${path} is not a regular file.`;
  return [{ code: LOCK_OBSTRUCTED, severity: 'broken', what, where: path, fix: { kind: 'set-aside', path } }];
}
