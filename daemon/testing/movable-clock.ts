import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../shared/clock.ts';
import { clockOnTimers } from './clock-on-timers.ts';

const TURNS_A_STEP = 20;
/** Of real time; shorter than the limit of a test, after which the moves would go on. */
const LIMIT_MS = 50_000;

/** A clock that runs like the system's, and that a test moves forward. */
export interface MovableClock extends Clock {
  /** Moves the time forward in steps, by default of 100 ms, each with turns of the loop for what it sends and receives. */
  readonly pass: (ms: number, stepMs?: number) => Promise<void>;
  /** Moves it until some work is over, in steps, by default of 10 ms. @throws Error after 50 s of real time */
  readonly during: <T>(work: Promise<T>, stepMs?: number) => Promise<T>;
}

interface Timer {
  readonly atMs: number;
  /** Runs its work, once. */
  readonly run: () => void;
}

/**
 * For code that also waits for what takes real time, such as a connection; else see `manualClock`.
 * @param limitMs of the work that `during` waits for, in real time
 */
export function movableClock(limitMs = LIMIT_MS): MovableClock {
  let movedMs = 0;
  const elapsedMs = () => performance.now() + movedMs;
  const timers = new Set<Timer>();
  const after = (ms: number, work: () => void, isInBackground = false) => {
    const cancel = () => {
      clearTimeout(real);
      timers.delete(timer);
    };
    const run = () => {
      cancel();
      work();
    };
    const timer = { atMs: elapsedMs() + ms, run };
    const real = setTimeout(run, ms);
    if (isInBackground) real.unref();
    timers.add(timer);
    return cancel;
  };
  const runDue = () => {
    const due = [...timers].filter(({ atMs }) => atMs <= elapsedMs()).sort((a, b) => a.atMs - b.atMs);
    for (const timer of due) if (timers.has(timer)) timer.run();
  };
  const pass = async (ms: number, stepMs = 100) => {
    for (let leftMs = ms; leftMs > 0; leftMs -= stepMs) {
      movedMs += Math.min(leftMs, stepMs);
      runDue();
      for (let turn = 0; turn < TURNS_A_STEP; turn++) await nextTurn();
    }
  };
  return {
    ...clockOnTimers({ elapsedMs, after }, (ms, work) => after(ms, work, true)),
    pass,
    async during(work, stepMs = 10) {
      let isOver = false;
      const over = () => {
        isOver = true;
      };
      work.then(over, over);
      const startMs = performance.now();
      while (!isOver) {
        if (performance.now() - startMs > limitMs) throw new Error(`The work is not over after ${limitMs} ms.`);
        await pass(stepMs, stepMs);
      }
      return work;
    },
  };
}
