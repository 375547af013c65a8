import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../shared/logger.ts';

const PERIOD_MS = 20;
/** After a longer pause (a laptop that slept) the loop continues from now instead of catching up. */
const LONGEST_STEP_MS = 100;

/** One tick: seconds since the loop started, and seconds since the last tick (at most 0.1). */
export type Tick = (nowS: number, elapsedS: number) => Promise<void>;

/** Calls the robot's ticks: fifty times a second, or on demand in tests. */
export interface Loop {
  start(tick: Tick): void;
  /** Stops after the current tick. */
  stop(): Promise<void>;
}

/** Calls a function fifty times a second, one call after the other, without drifting. */
export class ControlLoop implements Loop {
  readonly #log: Logger;
  #running: Promise<void> | null = null;
  #stopping = new AbortController();

  constructor(log: Logger) {
    this.#log = log;
  }

  start(tick: Tick): void {
    this.#stopping = new AbortController();
    this.#running ??= this.#run(tick, this.#stopping.signal);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    this.#running = null;
  }

  async #run(tick: Tick, stopping: AbortSignal): Promise<void> {
    const startMs = performance.now();
    let dueMs = startMs;
    let lastMs = startMs;
    while (!stopping.aborted) {
      const nowMs = performance.now();
      const elapsedS = Math.min(nowMs - lastMs, LONGEST_STEP_MS) / 1000;
      lastMs = nowMs;
      try {
        await tick((nowMs - startMs) / 1000, elapsedS);
      } catch (error) {
        this.#log.error('robot: a tick of the control loop failed', error);
      }
      dueMs += PERIOD_MS;
      if (performance.now() - dueMs > LONGEST_STEP_MS) dueMs = performance.now();
      await sleep(Math.max(0, dueMs - performance.now()), undefined, { signal: stopping }).catch(() => {});
    }
  }
}
