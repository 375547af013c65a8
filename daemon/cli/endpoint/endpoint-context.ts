import type { OwnEndpoint } from '../../contract/endpoints/endpoint.ts';
import { endpointId } from '../../contract/endpoints/endpoint-id.ts';
import { DomainError } from '../../shared/domain-error.ts';
import type { DataPaths } from '../../shared/files/data-paths.ts';
import { neededDaemon, type OnDaemon, type OnDaemonWithToken, withToken } from '../shared/on-daemon.ts';

class NoSuchEndpoint extends DomainError {
  constructor(name: string) {
    super(`There is no endpoint "${name}". "robot-daemon endpoint ls" lists them.`);
  }
}

class AmbiguousName extends DomainError {
  constructor(name: string, found: readonly OwnEndpoint[]) {
    const ids = found.map(({ namespace }) => endpointId({ namespace, name })).sort();
    super(`"${name}" is the name of several endpoints. Name one of them with its namespace: ${ids.join(', ')}.`);
  }
}

/** Runs a command on the daemon of a data folder. @throws NoDaemon */
export async function withEndpoints(
  paths: DataPaths,
  work: (context: OnDaemonWithToken) => Promise<void>,
): Promise<void> {
  const { url } = await neededDaemon(paths, 'Start it: endpoints run in it.');
  await withToken(paths, url, 'endpoint', work);
}

/** The endpoint with a name, with or without its namespace. @throws NoSuchEndpoint, AmbiguousName */
export async function endpointOf({ client }: OnDaemon, given: string): Promise<OwnEndpoint> {
  const name = given.slice(given.lastIndexOf('/') + 1);
  const ofNamespace = given.includes('/') ? { namespace: given.slice(0, given.lastIndexOf('/')) } : {};
  const isValid = /^(?:[a-z0-9-]{1,64}\/)?[a-z0-9-]{1,32}$/.test(given);
  const query = { ...ofNamespace, name };
  const { endpoints } = isValid ? await client.call('listOwnEndpoints', { query }) : { endpoints: [] };
  const [found, ...others] = endpoints;
  if (!found) throw new NoSuchEndpoint(given);
  if (others.length > 0) throw new AmbiguousName(name, endpoints);
  return found;
}
