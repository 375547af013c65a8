import type { ReplicaWaits } from './forward.ts';
import { GatewayRefusal } from './gateway-refusal.ts';

const DEFAULT_S = 60;
const MAX_S = 600;

/**
 * The longest waits for a replica, as the caller's `X-Scale-Up-Timeout` says it in seconds; 0: no wait. It holds for one that
 * is to start and for a turn at one that is busy; without it the wait for a turn has the endpoint's own limit.
 * Longer ones than 600 s count as 600 s. @throws GatewayRefusal
 */
export function scaleUpWaits(header: string | string[] | undefined): ReplicaWaits {
  if (header === undefined) return { waitMs: DEFAULT_S * 1_000 };
  if (typeof header !== 'string' || !/^\d{1,9}(?:\.\d{1,9})?$/.test(header)) {
    throw new GatewayRefusal('invalid-request', 'X-Scale-Up-Timeout is a number of seconds, 0 to 600.');
  }
  const waitMs = Math.min(Number(header), MAX_S) * 1_000;
  return { waitMs, queueMs: waitMs };
}
