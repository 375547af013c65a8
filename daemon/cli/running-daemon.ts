import { setTimeout as sleep } from 'node:timers/promises';
import { askDaemon } from '../client/node/ask-daemon.ts';
import type { DaemonStatus } from '../contract/daemon.ts';
import { instanceIn } from '../shared/data-folder/data-folder-lock.ts';
import type { DataPaths } from '../shared/files/data-paths.ts';

/** How long a daemon that is still starting may take to say where it is. */
const COMES_UP_WITHIN_MS = 8_000;

export interface RunningDaemon {
  readonly url: string;
  readonly status: DaemonStatus;
}

/**
 * Reaches the daemon that has our data folder, so that its dashboard can be shown instead of a second one. Only the
 * holder of the lock writes where it is, into a folder that is ours alone; the process id is compared all the same.
 * @returns null when it does not answer there
 */
export async function runningDaemon(
  { paths }: { readonly paths: DataPaths },
  limitMs = COMES_UP_WITHIN_MS,
): Promise<RunningDaemon | null> {
  const end = performance.now() + limitMs;
  do {
    const instance = await instanceIn(paths);
    const status = instance?.url ? await askDaemon(instance.url) : null;
    if (instance?.url && status?.pid === instance.pid) return { url: instance.url, status };
    await sleep(200);
  } while (performance.now() < end);
  return null;
}
