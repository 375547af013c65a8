import { settlesWithin } from '../../shared/async/settles-within.ts';
import { systemClock } from '../../shared/clock.ts';
import { instanceIn } from '../../shared/data-folder/data-folder-lock.ts';
import type { DataPaths } from '../../shared/files/data-paths.ts';

const DAEMON_MS = 2_000;

/**
 * Adds the folder of an app to the list of the daemon, if one runs, so that the dashboard shows it too. Never rejects,
 * and waits two seconds at most: the folder is there without it.
 */
export async function listFolder(folder: string, paths: DataPaths): Promise<void> {
  await settlesWithin(systemClock, DAEMON_MS, addToList(folder, paths)).catch(() => {});
}

async function addToList(folder: string, paths: DataPaths): Promise<void> {
  // The client of a daemon is loaded only where a daemon has recorded its address.
  if (!(await instanceIn(paths))?.url) return;
  const [{ daemonPlace }, { createDaemonClient }, { bearerFetch }] = await Promise.all([
    import('../shared/daemon-place.ts'),
    import('../../client/daemon-client.ts'),
    import('../../client/node/bearer-fetch.ts'),
  ]);
  const place = await daemonPlace(paths, DAEMON_MS);
  if (place === null) return;
  const options = { baseUrl: place.url, deadlineMs: DAEMON_MS, send: bearerFetch(place.token) };
  await createDaemonClient(options).call('addOwnApp', { body: { folder } });
}
