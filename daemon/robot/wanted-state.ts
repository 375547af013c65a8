import type { Logger } from '../shared/logger.ts';

/** Pauses before a failed wake-up is tried again; after the last one it is given up. */
const PAUSES_S = [1, 2, 5, 10];

/** Why the robot did not wake up, and what to do, in one sentence each. No action: the daemon tries again by itself. */
export interface NotWoken {
  readonly reason: string;
  readonly action: string | null;
}

interface WantedStateDeps {
  /** @throws RobotUnavailable */
  readonly wake: () => Promise<unknown>;
  /** @throws RobotUnavailable */
  readonly fold: () => Promise<unknown>;
  /** Whether the robot is connected and no motor has shut down. Something may block one whose motor has: it is not tried again. */
  readonly isUsable: () => boolean;
  readonly log: Logger;
}

/**
 * The state that the robot is to have, also after the connection was lost and is back. Where nobody waits for a wake-up,
 * as at the start, it is tried again after a failure: on a busy machine some answers of the servos may be late, although
 * the connection stays. Such a robot may still be folded although its motors hold already.
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

  /** Why the last try failed; null: it did not, the next one is under way, or the tries have ended. */
  get notWoken(): NotWoken | null {
    return this.#notWoken;
  }

  /** A command sets the state, and ends the tries. */
  set(value: 'awake' | 'asleep'): void {
    this.#value = value;
    this.endTries();
  }

  /** Ends the tries: a new command replaces them. */
  endTries(): void {
    this.#run += 1;
    this.#failures = 0;
    this.#notWoken = null;
    this.#retryAtS = Number.POSITIVE_INFINITY;
  }

  /** Wakes or folds the robot, which is connected. Nobody waits for it. */
  reach(): void {
    this.endTries();
    if (this.isAwake) this.#tryToWake();
    else this.#deps.fold().catch((error: Error) => this.#deps.log.warn(`robot: ${error.message}`));
  }

  /** Tries again once a pause is over. The control loop calls it. */
  tick(nowS: number): void {
    this.#nowS = nowS;
    if (nowS < this.#retryAtS) return;
    this.#retryAtS = Number.POSITIVE_INFINITY;
    if (this.#deps.isUsable()) this.#tryToWake();
    else this.endTries();
  }

  #tryToWake(): void {
    const run = this.#run;
    this.#notWoken = null; // before the robot reports that it is waking
    this.#deps.wake().catch((error: Error) => {
      this.#deps.log.warn(`robot: ${error.message}`);
      if (run === this.#run) this.#failed(error.message);
    });
  }

  #failed(why: string): void {
    if (!this.#deps.isUsable()) {
      this.endTries(); // the lost connection, or the motor that has shut down, is the reason then
      return;
    }
    const pauseS = PAUSES_S[this.#failures];
    this.#failures += 1;
    if (pauseS === undefined) {
      this.#notWoken = { reason: `The wake-up failed: ${why}`, action: 'Wake it again.' };
    } else {
      this.#notWoken = { reason: `The wake-up failed and is tried again: ${why}`, action: null };
      this.#retryAtS = this.#nowS + pauseS;
    }
  }
}
