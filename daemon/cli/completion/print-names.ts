import { daemonAt } from '../../client/node/daemon-at.ts';
import { namesForPeople } from '../../contract/endpoints/endpoint-id.ts';
import { instanceIn } from '../../shared/data-folder/data-folder-lock.ts';
import type { DataPaths } from '../../shared/files/data-paths.ts';
import { tokenOf } from '../shared/holder.ts';
import { print } from '../shared/print.ts';

/** A person waits for the names. */
const WITHIN_MS = 1_000;

/** Prints the names of apps or endpoints, a line for each. Without a daemon there are none: a shell shows no error. */
export async function printNames(paths: DataPaths, kind: 'app' | 'endpoint'): Promise<void> {
  const instance = await instanceIn(paths);
  if (!instance?.url) return;
  const client = daemonAt(instance.url, { deadlineMs: WITHIN_MS, token: await tokenOf(instance, paths) });
  const names = kind === 'app' ? client.call('listApps') : client.call('listOwnEndpoints', { query: { limit: 100 } });
  const lines = await names.then(
    (found) =>
      'endpoints' in found ? found.endpoints.map(namesForPeople(found.endpoints)) : found.map(({ name }) => name),
    () => [],
  );
  print(lines.map((name) => `${name}\n`).join(''));
}
