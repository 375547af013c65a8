import { askDaemon } from '../client/node/daemon-at.ts';
import type { DaemonStatus } from '../contract/daemon.ts';
import { sleepOn, systemClock } from '../shared/clock.ts';
import { instanceIn } from '../shared/data-folder/data-folder-lock.ts';
import type { DataPaths } from '../shared/files/data-paths.ts';
import { tokenOf } from './shared/holder.ts';

/** The time for a starting daemon to record its address. */
const COMES_UP_WITHIN_MS = 8_000;

export interface RunningDaemon {
  readonly url: string;
  readonly status: DaemonStatus;
  /** For its requests; undefined: it needs none from this machine. */
  readonly token?: string | undefined;
}

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
    const token = instance ? await tokenOf(instance, paths) : undefined;
    const status = instance?.url ? await askDaemon(instance.url, token) : null;
    if (instance?.url && status?.pid === instance.pid) return { url: instance.url, status, token };
    await sleepOn(systemClock, 200);
  } while (systemClock.elapsedMs() < end);
  return null;
}
