import type { Clock } from '../../shared/clock.ts';

/** Reports when an endpoint has been unused for its timeout. */
export class IdleWatch {
  readonly #clock: Clock;
  readonly #onIdle: () => void;
  #usedMs: number;
  #cancel = () => {};

  constructor(clock: Clock, onIdle: () => void) {
    this.#clock = clock;
    this.#onIdle = onIdle;
    this.#usedMs = clock.elapsedMs();
  }

  /** It is used now: the timeout begins anew. */
  used(): void {
    this.#usedMs = this.#clock.elapsedMs();
  }

  stop(): void {
    this.#cancel();
    this.#cancel = () => {};
  }

  /** Watches from the last use on, in the place of any earlier watch. */
  start(timeoutMinutes: number): void {
    this.stop();
    const leftMs = () => this.#usedMs + timeoutMinutes * 60_000 - this.#clock.elapsedMs();
    this.#cancel = this.#clock.after(Math.max(0, leftMs()), () => {
      if (leftMs() > 0)
        this.start(timeoutMinutes); // the time was longer than a timer can wait
      else this.#onIdle();
    });
  }
}
