import type { Loop, Turn } from '../robot/control-loop.ts';

const TURN_S = 0.02;

/** The control loop with a test's hand on the clock: seconds of motion pass in milliseconds, always the same way. */
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

  /** Lets so much time pass, turn by turn. */
  async pass(seconds: number): Promise<void> {
    for (let left = Math.round(seconds / TURN_S); left > 0; left--) {
      this.#turns += 1;
      await this.#turn?.(this.nowS, TURN_S);
      await Promise.resolve(); // what waited for this turn goes on before the next one
    }
  }

  /** Lets time pass until something has happened, at most 60 s of it. @returns what it came to */
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
    if (!over) throw new Error('It did not happen within 60 s of the robot.');
    return watched;
  }
}
