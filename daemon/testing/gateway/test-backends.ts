import { setTimeout as sleep } from 'node:timers/promises';
import { EndpointUnavailable } from '../../endpoints/errors.ts';
import type { Backends } from '../../endpoints/replicas/backends.ts';

/** Replicas that a test sets. */
export interface TestBackends extends Backends {
  /** The socket of the ready replica; null: none, and requests wait. */
  socketPath: string | null;
  /** Replicas that requests use now. */
  readonly inUse: number;
  /** Every call of `acquire`. */
  readonly acquired: readonly { readonly name: string; readonly waitMs: number }[];
}

const POLL_MS = 5;

export function testBackends(socketPath: string | null): TestBackends {
  const acquired: { name: string; waitMs: number }[] = [];
  let inUse = 0;
  return {
    socketPath,
    acquired,
    get inUse() {
      return inUse;
    },
    async acquire(name, { waitMs, signal }) {
      acquired.push({ name, waitMs });
      const untilMs = performance.now() + waitMs;
      while (this.socketPath === null) {
        if (performance.now() >= untilMs) throw new EndpointUnavailable('It does not wake in time.', 7);
        await sleep(POLL_MS, undefined, { signal });
      }
      inUse += 1;
      let isReleased = false;
      return {
        address: { socketPath: this.socketPath },
        healthRoute: '/health',
        id: this.socketPath,
        openedSession: () => {},
        release: () => {
          inUse -= isReleased ? 0 : 1;
          isReleased = true;
        },
      };
    },
    peek() {
      return this.socketPath === null
        ? null
        : {
            address: { socketPath: this.socketPath },
            healthRoute: '/health',
            id: this.socketPath,
          };
    },
  };
}
