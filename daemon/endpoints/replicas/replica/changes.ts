import type { Clock } from '../../../shared/clock.ts';

/** Wakes the code that waits for the next change of an endpoint. */
export class Changes {
  readonly #clock: Clock;
  readonly #waiters = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Reports a change. */
  notify(): void {
    for (const waiter of [...this.#waiters]) waiter();
  }

  /** Waits for the next change, at most for a time. @throws the reason of the signal */
  next(limitMs: number, signal?: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = () => reject(signal?.reason);
    const cancel = this.#clock.after(limitMs, resolve);
    this.#waiters.add(resolve);
    signal?.addEventListener('abort', onAbort, { once: true });
    return promise.finally(() => {
      cancel();
      this.#waiters.delete(resolve);
      signal?.removeEventListener('abort', onAbort);
    });
  }
}
