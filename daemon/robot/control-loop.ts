import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../shared/logger.ts';

const PERIOD_MS = 20;
/** After a longer pause (a laptop that slept) the loop goes on from now instead of catching up. */
const LONGEST_STEP_MS = 100;

/** One turn: seconds since the loop started, and seconds since the turn before (at most 0.1). */
export type Tick = (nowS: number, elapsedS: number) => Promise<void>;

/** Calls a function fifty times a second, one turn after the other, without drifting. */
export class ControlLoop {
  readonly #tick: Tick;
  readonly #log: Logger;
  #running: Promise<void> | null = null;
  #stopping = new AbortController();

  constructor(tick: Tick, log: Logger) {
    this.#tick = tick;
    this.#log = log;
  }

  start(): void {
    this.#stopping = new AbortController();
    this.#running ??= this.#run(this.#stopping.signal);
  }

  /** Ends after the turn under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    this.#running = null;
  }

  async #run(stopping: AbortSignal): Promise<void> {
    const startMs = performance.now();
    let dueMs = startMs;
    let lastMs = startMs;
    while (!stopping.aborted) {
      const nowMs = performance.now();
      const elapsedS = Math.min(nowMs - lastMs, LONGEST_STEP_MS) / 1000;
      lastMs = nowMs;
      try {
        await this.#tick((nowMs - startMs) / 1000, elapsedS);
      } catch (error) {
        this.#log.error('robot: a turn of the control loop failed', error);
      }
      dueMs += PERIOD_MS;
      if (performance.now() - dueMs > LONGEST_STEP_MS) dueMs = performance.now();
      await sleep(Math.max(0, dueMs - performance.now()), undefined, { signal: stopping }).catch(() => {});
    }
  }
}
