import { STOP_CAP_MS } from '../lifecycle/daemon-lifecycle.ts';
import { sleepOn, systemClock } from '../shared/clock.ts';
import { DataFolderInUse, lockDataFolder } from '../shared/data-folder/data-folder-lock.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { DataPaths } from '../shared/files/data-paths.ts';
import { endOrphans } from '../shared/processes/orphans.ts';
import { signalProcess } from '../shared/processes/processes.ts';
import { type Holder, holderOf, isRunning } from './shared/holder.ts';
import { print } from './shared/print.ts';

/** `robot-daemon stop` */
export async function stop(paths: DataPaths): Promise<void> {
  const holder = await holderOf(paths);
  if (!holder) {
    print(`No robot daemon runs on ${paths.root}.\n`);
    return;
  }
  await endWithNotice(holder, paths);
}

/** Ends a daemon, and prints how that goes. @throws DaemonNotEnded */
export async function endWithNotice(holder: Holder, paths: DataPaths): Promise<void> {
  const { instance, daemon } = holder;
  const what = instance.desktop ? 'Robot Desktop and its window' : 'the robot daemon';
  const how = daemon ? '' : ' It does not answer; if it still runs after 10 s, it is killed.';
  print(`Stopping ${what} (process ${instance.pid}): its app stops, the robot folds.${how}\n`);
  const isOrderly = await endDaemon(holder, paths);
  print(isOrderly ? 'Stopped.\n' : 'It hung and was killed, with its child processes.\n');
}

/** A healthy daemon ends within this time: its own cap, and the kill of its child processes. */
export const ENDS_WITHIN_MS = STOP_CAP_MS + 2_000;
const DIES_WITHIN_MS = 3_000;
const ORPHANS_MS = 2_000;

export class DaemonNotEnded extends DomainError {
  constructor(pid: number) {
    super(`Process ${pid} still runs. It may belong to another user: end it as that user.`);
  }
}

/**
 * Ends the process that holds a data folder, and its children. Kills it when it hangs.
 * @param killOrphans kills the children that it left, while no daemon has the folder
 * @returns whether it ended without being killed
 * @throws DaemonNotEnded
 */
export async function endDaemon(holder: Holder, paths: DataPaths, killOrphans = endOrphans): Promise<boolean> {
  const { pid } = holder.instance;
  signalProcess(pid, 'SIGTERM');
  // A suspended process handles SIGTERM only after SIGCONT.
  if (process.platform !== 'win32') signalProcess(pid, 'SIGCONT');
  const isClean = await isGoneWithin(ENDS_WITHIN_MS, holder, paths);
  if (!isClean) {
    signalProcess(pid, 'SIGKILL');
    if (!(await isGoneWithin(DIES_WITHIN_MS, holder, paths))) throw new DaemonNotEnded(pid);
  }
  await sweep(paths, killOrphans);
  return isClean;
}

async function sweep(paths: DataPaths, killOrphans: typeof endOrphans): Promise<void> {
  const lock = await lockDataFolder(paths).catch((error: unknown) => {
    if (error instanceof DataFolderInUse) return null; // a supervisor has started the next daemon, which sweeps
    throw error;
  });
  try {
    if (lock) await killOrphans(paths, ORPHANS_MS);
  } finally {
    lock?.release();
  }
}

async function isGoneWithin(limitMs: number, { instance }: Holder, paths: DataPaths): Promise<boolean> {
  const end = systemClock.elapsedMs() + limitMs;
  while (systemClock.elapsedMs() < end) {
    if (!(await isRunning(instance, paths))) return true;
    await sleepOn(systemClock, 50);
  }
  return false;
}
