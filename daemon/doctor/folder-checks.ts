import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { findObstacles } from '../shared/data-folder/obstacles.ts';
import type { DataPaths } from '../shared/files/data-paths.ts';
import { discardedOf } from '../shared/files/discarded-folder.ts';
import { orphansOf } from '../shared/processes/orphans.ts';
import { broken, byHand, type CheckContext, type Finding, untidy } from './check.ts';

/** The code of the finding that is repaired before the lock of the data folder is taken: it is in the lock's place. */
export const LOCK_OBSTRUCTED = 'lock-obstructed';

/** Finds what is in the place of the daemon's folders, files and lock. */
export async function checkObstacles({ paths, isHeld }: CheckContext): Promise<Finding[]> {
  const obstacles = await findObstacles(paths);
  const readOnly = byHand('Give it to this user, unless it is meant to be so.');
  const findings = obstacles.map(({ path, what, problem }) =>
    broken('obstructed', `${what}.`, path, problem === 'read-only' ? readOnly : { kind: 'set-aside', path }),
  );
  return isHeld ? findings : [...(await checkLock(paths)), ...findings];
}

async function checkLock({ lockFile: path }: DataPaths): Promise<Finding[]> {
  const stats = await stat(path).catch(() => lstat(path).catch(() => null));
  if (stats === null || (stats.isFile() && stats.size === 0)) return [];
  if (stats.isFile()) {
    const what = 'The lock file is damaged: it has content. The next start of the daemon empties it.';
    return [untidy('lock-damaged', what, path, { kind: 'empty-lock' })];
  }
  const what = stats.isSymbolicLink()
    ? `${path} is a link to a file that does not exist.`
    : `${path} is not a regular file.`;
  return [broken(LOCK_OBSTRUCTED, what, path, { kind: 'set-aside', path })];
}

/** Finds the work in progress and the processes of a killed daemon. The next start removes both, too. */
export async function checkLeftovers({ paths, isHeld }: CheckContext): Promise<Finding[]> {
  if (isHeld) return [];
  const [work, orphans] = await Promise.all([
    Promise.all([readdir(paths.work).catch(() => []), discardedOf(paths.work)]).then(([names, discarded]) => [
      ...names.map((name) => join(paths.work, name)),
      ...discarded,
    ]),
    orphansOf(paths).then(({ find }) => find()),
  ]);
  const findings: Finding[] = [];
  if (work.length > 0) {
    const what = `${work.length} unfinished job folder(s) of a killed daemon.`;
    findings.push(untidy('work-left', what, paths.work, { kind: 'remove', paths: work }));
  }
  if (orphans.length > 0) {
    const what = `${orphans.length} process(es) of a killed daemon still run.`;
    findings.push(broken('orphans', what, `process ${orphans.join(', ')}`, { kind: 'end-orphans' }));
  }
  return findings;
}
