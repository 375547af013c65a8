import { GatewayRefusal } from './gateway-refusal.ts';

const DEFAULT_S = 60;
const MAX_S = 600;

/**
 * The longest wait for a replica, in milliseconds, as the caller's `X-Scale-Up-Timeout` says it in seconds; 0: no wait.
 * Longer ones than 600 s count as 600 s. @throws GatewayRefusal
 */
export function scaleUpTimeoutMs(header: string | string[] | undefined): number {
  if (header === undefined) return DEFAULT_S * 1_000;
  if (typeof header !== 'string' || !/^\d{1,9}(?:\.\d{1,9})?$/.test(header)) {
    throw new GatewayRefusal('invalid-request', 'X-Scale-Up-Timeout is a number of seconds, 0 to 600.');
  }
  return Math.min(Number(header), MAX_S) * 1_000;
}
