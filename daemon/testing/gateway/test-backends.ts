import type { Acquiring, Backends } from '../../endpoints/replicas/backends.ts';
import type { ReplicaAddress } from '../../endpoints/runtime/endpoint-runtime.ts';
import { EndpointUnavailable } from '../../endpoints/states/errors.ts';
import { type Clock, sleepOn } from '../../shared/clock.ts';

/** Replicas that a test sets. */
export interface TestBackends extends Backends {
  /** The socket of the ready replica; null: none, and requests wait. */
  socketPath: string | null;
  /** The port on 127.0.0.1 that it has in the place of a socket; null: it has a socket. */
  port: number | null;
  /** The replicas so far at that address: one more is another replica. */
  replicas: number;
  /** Replicas that requests use now. */
  readonly inUse: number;
  /** The replica no longer answers, and another one takes its place. */
  fallSilent(): void;
  /** Every call of `acquire`. */
  readonly acquired: readonly ({ readonly name: string } & Pick<Acquiring, 'waitMs' | 'queueMs'>)[];
}

const POLL_MS = 5;

export function testBackends(clock: Clock, socketPath: string | null): TestBackends {
  const acquired: TestBackends['acquired'][number][] = [];
  let inUse = 0;
  let silence = new AbortController();
  return {
    socketPath,
    port: null,
    replicas: 1,
    acquired,
    get inUse() {
      return inUse;
    },
    fallSilent() {
      this.replicas += 1;
      silence.abort();
      silence = new AbortController();
    },
    async acquire(endpoint, { waitMs, queueMs, signal, exclude }) {
      acquired.push({ name: endpoint.name, waitMs, ...(queueMs !== undefined && { queueMs }) });
      const untilMs = clock.elapsedMs() + waitMs;
      let backend = this.peek(endpoint);
      while (backend === null || exclude?.has(backend.id)) {
        if (clock.elapsedMs() >= untilMs) throw new EndpointUnavailable('It does not wake in time.', 7);
        await sleepOn(clock, POLL_MS, signal);
        backend = this.peek(endpoint);
      }
      inUse += 1;
      let isReleased = false;
      return {
        ...backend,
        lost: silence.signal,
        openedSession: () => {},
        answers: () => {},
        release: () => {
          inUse -= isReleased ? 0 : 1;
          isReleased = true;
        },
      };
    },
    peek() {
      const { socketPath, port, replicas } = this;
      if (port === null && socketPath === null) return null;
      const address: ReplicaAddress =
        port === null ? { socketPath: socketPath as string } : { host: '127.0.0.1', port };
      return { address, healthRoute: '/health', id: `${port ?? socketPath} ${replicas}` };
    },
  };
}
