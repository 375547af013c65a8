import type { Logger } from '../shared/logger.ts';

/** Pauses before a failed wake-up is tried again; after the last one it is given up. */
const PAUSES_S = [1, 2, 5, 10];

/** Why the robot still sleeps, and the action for people, in one sentence each; null: the wake-up is tried again. */
export interface NotWoken {
  readonly reason: string;
  readonly action: string | null;
}

export interface WantedStateDeps {
  /** @throws RobotUnavailable */
  readonly wake: () => Promise<unknown>;
  /** @throws RobotUnavailable */
  readonly fold: () => Promise<unknown>;
  /** Whether it is connected and sleeps, and no motor has shut down: something may block such a robot. */
  readonly isAsleep: () => boolean;
  readonly log: Logger;
}

/**
 * The state that the robot is to have, also after the connection was lost and is back. Where nobody waits for a wake-up,
 * as at the start, it is tried again after a failure: some answers of the servos may be late on a busy machine, although
 * the robot stays connected.
 */
export class WantedState {
  readonly #deps: WantedStateDeps;
  #value: 'awake' | 'asleep' = 'asleep';
  #notWoken: NotWoken | null = null;
  #failures = 0;
  #nowS = 0;
  #retryAtS = Number.POSITIVE_INFINITY;
  /** Changes when the tries so far no longer count. */
  #run = 0;

  constructor(deps: WantedStateDeps) {
    this.#deps = deps;
  }

  get isAwake(): boolean {
    return this.#value === 'awake';
  }

  /** Why the last try failed; null: it did not, or its tries have ended since. */
  get notWoken(): NotWoken | null {
    return this.#notWoken;
  }

  /** A command sets the state, and ends the tries. */
  set(value: 'awake' | 'asleep'): void {
    this.#value = value;
    this.#endTries();
  }

  /** Wakes or folds the robot, which is connected. Nobody waits for it. */
  reach(): void {
    this.#endTries();
    if (this.isAwake) this.#tryToWake();
    else this.#deps.fold().catch((error: Error) => this.#deps.log.warn(`robot: ${error.message}`));
  }

  /** Tries again once a pause is over. The control loop calls it. */
  tick(nowS: number): void {
    this.#nowS = nowS;
    if (nowS < this.#retryAtS) return;
    this.#retryAtS = Number.POSITIVE_INFINITY;
    if (this.#deps.isAsleep()) this.#tryToWake();
    else this.#endTries();
  }

  #endTries(): void {
    this.#run += 1;
    this.#failures = 0;
    this.#notWoken = null;
    this.#retryAtS = Number.POSITIVE_INFINITY;
  }

  #tryToWake(): void {
    const run = this.#run;
    this.#deps.wake().then(
      () => {
        if (run === this.#run) this.#notWoken = null;
      },
      (error: Error) => {
        this.#deps.log.warn(`robot: ${error.message}`);
        if (run === this.#run) this.#failed(error.message);
      },
    );
  }

  #failed(why: string): void {
    if (!this.#deps.isAsleep()) {
      this.#endTries(); // another state says itself why
      return;
    }
    const pauseS = PAUSES_S[this.#failures];
    this.#failures += 1;
    if (pauseS === undefined) {
      this.#notWoken = { reason: `The robot does not wake up: ${why}`, action: 'Wake it again.' };
    } else {
      this.#notWoken = { reason: `The robot does not wake up yet: ${why}`, action: null };
      this.#retryAtS = this.#nowS + pauseS;
    }
  }
}
