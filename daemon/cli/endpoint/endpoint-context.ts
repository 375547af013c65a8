import type { DaemonClient } from '../../client/calls.ts';
import { daemonAt } from '../../client/node/daemon-at.ts';
import type { OwnEndpoint } from '../../contract/endpoints/endpoint.ts';
import { DomainError } from '../../shared/domain-error.ts';
import type { DataPaths } from '../../shared/files/data-paths.ts';
import { neededDaemon } from '../shared/daemon-place.ts';
import { type TokenForNow, withToken } from '../shared/with-token.ts';

/** The input of a command besides its arguments: a client of the daemon, with a token for now. */
export interface EndpointContext extends TokenForNow {
  readonly client: DaemonClient;
}

class NoSuchEndpoint extends DomainError {
  constructor(name: string) {
    super(`There is no endpoint "${name}". "robot-daemon endpoint ls" lists them.`);
  }
}

/** Runs a command on the daemon of a data folder. @throws NoDaemon */
export async function withEndpoints(
  paths: DataPaths,
  work: (context: EndpointContext) => Promise<void>,
): Promise<void> {
  const { url } = await neededDaemon(paths, 'Start it: endpoints run in it.');
  await withToken(paths, 'endpoint', (lent) => work({ ...lent, client: daemonAt(url, { token: lent.token }) }));
}

/** The endpoint with a name, with or without its namespace. @throws NoSuchEndpoint */
export async function endpointOf({ client }: EndpointContext, given: string): Promise<OwnEndpoint> {
  const name = given.slice(given.lastIndexOf('/') + 1);
  const namespace = given.includes('/') ? given.slice(0, given.lastIndexOf('/')) : null;
  const isValid = /^[a-z0-9-]{1,32}$/.test(name);
  const { endpoints } = isValid ? await client.call('listOwnEndpoints', { query: { name } }) : { endpoints: [] };
  const found = endpoints.find((each) => namespace === null || each.namespace === namespace);
  if (!found) throw new NoSuchEndpoint(given);
  return found;
}
