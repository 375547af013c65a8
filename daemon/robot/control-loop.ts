import { type Clock, sleepOn } from '../shared/clock.ts';
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
  readonly #clock: Clock;
  readonly #log: Logger;
  #running: Promise<void> | null = null;
  #stopping = new AbortController();

  constructor(clock: Clock, log: Logger) {
    this.#clock = clock;
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
    const clock = this.#clock;
    const startMs = clock.elapsedMs();
    let dueMs = startMs;
    let lastMs = startMs;
    while (!stopping.aborted) {
      const nowMs = clock.elapsedMs();
      const elapsedS = Math.min(nowMs - lastMs, LONGEST_STEP_MS) / 1000;
      lastMs = nowMs;
      try {
        await tick((nowMs - startMs) / 1000, elapsedS);
      } catch (error) {
        this.#log.error('robot: a tick of the control loop failed', error);
      }
      dueMs += PERIOD_MS;
      if (clock.elapsedMs() - dueMs > LONGEST_STEP_MS) dueMs = clock.elapsedMs();
      await sleepOn(clock, Math.max(0, dueMs - clock.elapsedMs()), stopping).catch(() => {});
    }
  }
}
