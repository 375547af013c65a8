import type { Clock } from '../../shared/clock.ts';
import type { ReplicaAddress } from './endpoint-runtime.ts';

/** The origin for an HTTP client. A socket has no host: the name is not used. */
export function originOf(address: ReplicaAddress): string {
  return 'socketPath' in address ? 'http://localhost' : `http://${address.host}:${address.port}`;
}

/** The options of an HTTP client of undici that lead it to a replica. */
export function connectionTo(address: ReplicaAddress): { readonly socketPath?: string } {
  return 'socketPath' in address ? { socketPath: address.socketPath } : {};
}

/** A health answer has a few bytes. */
const MAX_BYTES = 64 * 1024;

/** The status that a replica answers at its health route; null: none within the time. Never rejects. */
export async function healthStatus(
  clock: Clock,
  address: ReplicaAddress,
  route: string,
  withinMs: number,
): Promise<number | null> {
  // Loaded on first use: the daemon starts without it.
  const { Client } = await import('undici');
  const client = new Client(originOf(address), { ...connectionTo(address), pipelining: 1 });
  const signal = clock.timeout(withinMs);
  try {
    const { statusCode, body } = await client.request({ method: 'GET', path: route, signal });
    await body.dump({ limit: MAX_BYTES, signal });
    return statusCode;
  } catch {
    return null; // it does not listen yet, or has ended
  } finally {
    await client.destroy();
  }
}
