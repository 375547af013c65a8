import { asksThisMachine, readAccessToken } from '../../access/access-token-file.ts';
import { askDaemon } from '../../client/node/daemon-at.ts';
import type { DaemonStatus } from '../../contract/daemon.ts';
import { sleepOn, systemClock } from '../../shared/clock.ts';
import { type Instance, instanceIn, isDataFolderLocked } from '../../shared/data-folder/data-folder-lock.ts';
import { DomainError } from '../../shared/domain-error.ts';
import type { DataPaths } from '../../shared/files/data-paths.ts';
import { startTimeOf } from '../../shared/processes/process-identity.ts';

/** A process holds the data folder, but cannot be identified. */
class HolderUnknown extends DomainError {
  constructor(paths: DataPaths, instance: Instance | null) {
    const hint = instance ? ` The last known one is process ${instance.pid}.` : '';
    super(`An unknown process holds the data folder ${paths.root}.${hint} End it yourself.`);
  }
}

export interface Holder {
  readonly instance: Instance;
  /** null: no answer; it is still starting, or hangs, or is not a daemon. */
  readonly daemon: RunningDaemon | null;
}

/**
 * Finds the process that holds a data folder, identified by its own answer or by its start time.
 * @param answerMs the time for its answer; default: a short one
 * @returns null when no process holds it
 * @throws HolderUnknown
 */
export async function holderOf(paths: DataPaths, answerMs?: number): Promise<Holder | null> {
  const instance = await instanceIn(paths);
  const daemon = instance && (await answeringDaemon(instance, paths, answerMs));
  if (daemon) return { instance, daemon };
  if (!(await isDataFolderLocked(paths))) return null;
  if (instance && (await isAlive(instance))) return { instance, daemon: null };
  throw new HolderUnknown(paths, instance);
}

export interface RunningDaemon {
  readonly url: string;
  readonly status: DaemonStatus;
  /** For its requests; undefined: it needs none from this machine. */
  readonly token?: string | undefined;
}

/** The time for a starting daemon to record its address. */
const COMES_UP_WITHIN_MS = 8_000;

/**
 * Finds the running daemon on a data folder, so that its dashboard can be shown. Only the holder of the lock records its
 * address, in a private folder; the process id is compared as a further check.
 * @returns null when no daemon answers
 */
export async function runningDaemon(
  { paths }: { readonly paths: DataPaths },
  limitMs = COMES_UP_WITHIN_MS,
): Promise<RunningDaemon | null> {
  const end = systemClock.elapsedMs() + limitMs;
  do {
    const instance = await instanceIn(paths);
    const answering = instance && (await answeringDaemon(instance, paths));
    if (answering) return answering;
    await sleepOn(systemClock, 200);
  } while (systemClock.elapsedMs() < end);
  return null;
}

/** The daemon that recorded itself; null: it has no address yet, or does not answer there. */
async function answeringDaemon(instance: Instance, paths: DataPaths, answerMs?: number): Promise<RunningDaemon | null> {
  const { url, pid } = instance;
  if (url === null) return null;
  const token = await tokenOf(instance, paths);
  const status = await askDaemon(url, token, answerMs);
  return status?.pid === pid ? { url, status, token } : null;
}

/**
 * The token that a daemon requires of this machine's programs, from its data folder. For a living daemon only: after its
 * end, another program could listen at its address.
 * @returns undefined when it requires none, does not run, or the token cannot be read
 */
export async function tokenOf(instance: Instance, paths: DataPaths): Promise<string | undefined> {
  if (!asksThisMachine(instance.options ?? {}) || !(await isRunning(instance, paths))) return undefined;
  return (await readAccessToken(paths.accessTokenFile)) ?? undefined;
}

/** Whether the process runs that holds, or held, a data folder. */
export async function isRunning(instance: Instance, paths: DataPaths): Promise<boolean> {
  return instance.startTime === null ? isDataFolderLocked(paths) : isAlive(instance);
}

/** Whether the process runs, and not another one with the same id. */
async function isAlive({ pid, startTime }: Instance): Promise<boolean> {
  return startTime !== null && (await startTimeOf(pid)) === startTime;
}
