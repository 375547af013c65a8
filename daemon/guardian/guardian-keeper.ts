import { settlesWithin } from '../shared/async/settles-within.ts';
import type { Clock } from '../shared/clock.ts';
import type { Logger } from '../shared/logger.ts';
import type { GuardianProcess } from './guardian-process.ts';

/** The pauses before a guardian that ended alone is started again; after the last one it is given up. */
export const RESTART_PAUSES_MS = [1_000, 2_000, 5_000, 10_000, 30_000];
/** A guardian that lived so long has not ended for the reason of the one before. */
const STEADY_AFTER_MS = 10 * 60_000;
const ENDS_WITHIN_MS = 2_000;
const UNGUARDED = 'the robot stays as it is, and models go on, if this program is killed';

interface GuardianKeeperDeps {
  /** @returns null when this installation has no guardian */
  readonly start: () => Promise<GuardianProcess | null>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Keeps a guardian beside the daemon of this process, and starts it again if it ends alone. */
export class GuardianKeeper {
  readonly #deps: GuardianKeeperDeps;
  #guardian: GuardianProcess | null = null;
  #starting: Promise<void> = Promise.resolve();
  #cancelRestart = () => {};
  #restarts = 0;
  #isStarted = false;
  #isOver = false;

  constructor(deps: GuardianKeeperDeps) {
    this.#deps = deps;
  }

  /** The process of the guardian; null: none runs. */
  get pid(): number | null {
    return this.#guardian?.pid ?? null;
  }

  /**
   * Starts the guardian; a second call starts no other. The daemon must run. Resolves once its assignment is in its pipe, or
   * it could not be started. Never rejects.
   */
  start(): Promise<void> {
    if (!this.#isStarted) this.#startNext();
    this.#isStarted = true;
    return this.#starting;
  }

  /** Ends the guardian: the daemon has ended in order. Never rejects. */
  async endedInOrder(): Promise<void> {
    this.#isOver = true;
    this.#cancelRestart();
    await this.#starting;
    const guardian = this.#guardian;
    guardian?.endedInOrder();
    if (guardian && !(await settlesWithin(this.#deps.clock, ENDS_WITHIN_MS, guardian.exited))) guardian.kill();
  }

  #startNext(): void {
    this.#starting = this.#start();
  }

  /** Never rejects. */
  async #start(): Promise<void> {
    const { start, clock, log } = this.#deps;
    try {
      if (this.#isOver) return;
      const guardian = await start();
      if (guardian === null) {
        log.warn(`guardian: this installation has none: ${UNGUARDED}`);
        return;
      }
      this.#guardian = guardian;
      const startedMs = clock.elapsedMs();
      void guardian.exited.then((how) => this.#ended(how, clock.elapsedMs() - startedMs));
    } catch (error) {
      log.error('guardian: it could not be started', error);
    }
  }

  #ended(how: string, livedMs: number): void {
    const { clock, log } = this.#deps;
    this.#guardian = null;
    if (this.#isOver) return;
    if (livedMs >= STEADY_AFTER_MS) this.#restarts = 0;
    const pauseMs = RESTART_PAUSES_MS[this.#restarts];
    this.#restarts += 1;
    if (pauseMs === undefined) {
      log.error(`guardian: it ended again (${how}): ${UNGUARDED}`);
      return;
    }
    log.warn(`guardian: it ended alone (${how}), and is started again in ${pauseMs / 1000} s`);
    this.#cancelRestart = clock.after(pauseMs, () => this.#startNext());
  }
}
