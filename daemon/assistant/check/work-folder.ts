import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../shared/clock.ts';
import { killUntilGone, processesWithEnvironment } from '../../shared/processes/processes.ts';

/** The beginning of the names of folders that this process makes for its checks. */
export const workPrefix = () => `robot-desktop-check-${process.pid}-`;
const WORK = /^robot-desktop-check-(\d{1,9})-/;
const KILL_MS = 2_000;
/** Another process may have the id of the one that was killed. */
const MAX_AGE_MS = 24 * 60 * 60_000;

/** Makes a folder for a build, named by this process, and removes those of processes that were killed. */
export async function newWorkFolder(clock: Clock, tempDir: string): Promise<string> {
  await removeAbandoned(clock, tempDir);
  return mkdtemp(join(tempDir, workPrefix()));
}

async function removeAbandoned(clock: Clock, tempDir: string): Promise<void> {
  for (const name of await readdir(tempDir).catch(() => [])) {
    const [, pid] = WORK.exec(name) ?? [];
    const folder = join(tempDir, name);
    if (pid === undefined || !(await isAbandoned(clock, folder, Number(pid)))) continue;
    // The programs of its build may still run.
    await killUntilGone(() => processesWithEnvironment('TMPDIR', folder), KILL_MS);
    // A folder of another user stays.
    await removeFolder(folder).catch(() => {});
  }
}

async function isAbandoned(clock: Clock, folder: string, pid: number): Promise<boolean> {
  if (pid === process.pid) return false;
  if (!isRunning(pid)) return true;
  const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
  return clock.now().getTime() - mtimeMs > MAX_AGE_MS;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Removes a folder, also while a process that was just ended still closes files in it. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
