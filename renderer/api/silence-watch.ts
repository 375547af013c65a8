/** Three heartbeats of the daemon. */
const SILENT_MS = 6_000;
const TICK_MS = 500;
/** The most that one tick counts: the page may have been too busy to see a message that has arrived. */
const MAX_CREDIT_MS = 2 * TICK_MS;
/** A tick this late comes after a sleep of the machine or a pause of the page, in which nothing could arrive. */
const SLEPT_MS = 3_000;

/** Notices that nothing was heard for 6 s, by ticks and not by the clock: a machine that slept has missed nothing. */
export class SilenceWatch {
  readonly #onSilence: () => void;
  readonly #now: () => number;
  #timer: ReturnType<typeof setInterval> | undefined;
  #tickedAt = 0;
  #quietMs = 0;

  /**
   * @param onSilence called after each 6 s of silence
   * @param now monotonic, in ms
   */
  constructor(onSilence: () => void, now: () => number = () => performance.now()) {
    this.#onSilence = onSilence;
    this.#now = now;
  }

  /** Starts to count, from zero. */
  start(): void {
    this.stop();
    this.#quietMs = 0;
    this.#tickedAt = this.#now();
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  /** Starts the count again. */
  heard(): void {
    this.#quietMs = 0;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    const now = this.#now();
    const passedMs = now - this.#tickedAt;
    this.#tickedAt = now;
    this.#quietMs = passedMs > SLEPT_MS ? 0 : this.#quietMs + Math.min(passedMs, MAX_CREDIT_MS);
    if (this.#quietMs < SILENT_MS) return;
    this.#quietMs = 0;
    this.#onSilence();
  }
}
