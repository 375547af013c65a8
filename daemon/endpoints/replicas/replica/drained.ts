import type { Clock } from '../../../shared/clock.ts';
import type { Changes } from './changes.ts';

export interface DrainDeps {
  /** The requests that a replica has now. */
  readonly requestsOf: (id: string) => number;
  /** Notified when a replica has no request left. */
  readonly changes: Changes;
  readonly clock: Clock;
}

/** Waits until a replica that gets no new requests has none left, at most for a time. @throws the reason of the signal */
export async function drained(
  id: string,
  limitMs: number,
  { requestsOf, changes, clock }: DrainDeps,
  signal: AbortSignal,
): Promise<void> {
  const untilMs = clock.elapsedMs() + limitMs;
  for (;;) {
    signal.throwIfAborted();
    const leftMs = untilMs - clock.elapsedMs();
    if (leftMs <= 0 || requestsOf(id) === 0) return;
    await changes.next(leftMs, signal);
  }
}
