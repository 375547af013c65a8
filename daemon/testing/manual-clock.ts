import { vi } from 'vitest';
import type { Clock } from '../shared/clock.ts';
import { clockOnTimers } from './clock-on-timers.ts';

/** A clock that stands still until it is moved. */
export interface ManualClock extends Clock {
  /** Moves the time forward, runs what is due in order, and lets the code that waits for it run. */
  readonly advance: (ms: number) => Promise<void>;
  /** Moves the time forward in steps until an expectation holds, for work on a disk or over a connection, which takes real time. */
  readonly until: (expected: () => Promise<void> | void, stepMs: number) => Promise<void>;
  /** The number of timers that are set. */
  readonly pending: number;
}

/** @param written settles once the code under test has written what it writes */
export function manualClock(written: () => Promise<void> = async () => {}): ManualClock {
  let nowMs = 0;
  const timers = new Set<{ readonly atMs: number; readonly work: () => void }>();
  const settle = async () => {
    for (let turn = 0; turn < 8; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      await written();
    }
  };
  const clock = clockOnTimers({
    elapsedMs: () => nowMs,
    after: (ms, work) => {
      const timer = { atMs: nowMs + ms, work };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
  });
  const advance = async (ms: number) => {
    const endMs = nowMs + ms;
    await settle();
    for (;;) {
      const [next] = [...timers].filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs);
      if (!next) break;
      timers.delete(next);
      nowMs = Math.max(nowMs, next.atMs);
      next.work();
      await settle();
    }
    nowMs = endMs;
  };
  return {
    ...clock,
    get pending() {
      return timers.size;
    },
    advance,
    until: (expected, stepMs) =>
      vi.waitFor(
        async () => {
          await advance(stepMs);
          await expected();
        },
        { interval: 1 },
      ),
  };
}
