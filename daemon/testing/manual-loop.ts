import type { Loop, Tick } from '../robot/control-loop.ts';

const TICK_S = 0.02;

/** A control loop whose clock a test advances: seconds of motion take milliseconds and are reproducible. */
export class ManualLoop implements Loop {
  #tick: Tick | null = null;
  #ticks = 0;

  start(tick: Tick): void {
    this.#tick = tick;
  }

  async stop(): Promise<void> {
    this.#tick = null;
  }

  get nowS(): number {
    return this.#ticks * TICK_S;
  }

  /** Advances the clock, tick by tick. */
  async pass(seconds: number): Promise<void> {
    for (let left = Math.round(seconds / TICK_S); left > 0; left--) {
      this.#ticks += 1;
      await this.#tick?.(this.nowS, TICK_S);
      await Promise.resolve(); // work that waited for this tick continues before the next
    }
  }

  /** Advances the clock until a promise settles, at most 60 s. @returns its result @throws Error after 60 s */
  async until<T>(happening: Promise<T>): Promise<T> {
    let over = false;
    const watched = happening.finally(() => {
      over = true;
    });
    watched.catch(() => {});
    for (let ticks = 0; !over && ticks < 60 / TICK_S; ticks++) {
      await this.pass(TICK_S);
      await new Promise(setImmediate);
    }
    if (!over) throw new Error('The promise did not settle within 60 s of robot time.');
    return watched;
  }
}
