import type { Loop, Turn } from '../robot/control-loop.ts';

const TURN_S = 0.02;

/** A control loop whose clock a test advances: seconds of motion take milliseconds and are reproducible. */
export class ManualLoop implements Loop {
  #turn: Turn | null = null;
  #turns = 0;

  start(turn: Turn): void {
    this.#turn = turn;
  }

  async stop(): Promise<void> {
    this.#turn = null;
  }

  get nowS(): number {
    return this.#turns * TURN_S;
  }

  /** Advances the clock, turn by turn. */
  async pass(seconds: number): Promise<void> {
    for (let left = Math.round(seconds / TURN_S); left > 0; left--) {
      this.#turns += 1;
      await this.#turn?.(this.nowS, TURN_S);
      await Promise.resolve(); // work that waited for this turn continues before the next
    }
  }

  /** Advances the clock until a promise settles, at most 60 s. @returns its result @throws Error after 60 s */
  async until<T>(happening: Promise<T>): Promise<T> {
    let over = false;
    const watched = happening.finally(() => {
      over = true;
    });
    watched.catch(() => {});
    for (let turns = 0; !over && turns < 60 / TURN_S; turns++) {
      await this.pass(TURN_S);
      await new Promise(setImmediate);
    }
    if (!over) throw new Error('The promise did not settle within 60 s of robot time.');
    return watched;
  }
}
