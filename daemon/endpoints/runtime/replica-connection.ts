import type { ReplicaAddress } from './endpoint-runtime.ts';

/** The origin for an HTTP client. A socket has no host: the name is not used. */
export function originOf(address: ReplicaAddress): string {
  return 'socketPath' in address ? 'http://localhost' : `http://${address.host}:${address.port}`;
}

/** The options of an HTTP client of undici that lead it to a replica. */
export function connectionTo(address: ReplicaAddress): { readonly socketPath?: string } {
  return 'socketPath' in address ? { socketPath: address.socketPath } : {};
}
