/**
 * Sums up how many requests there were for how long: two requests for three seconds are six. The difference of two
 * readings by their distance is the mean number of requests in between.
 */
export class RequestSeconds {
  #requests = 0;
  #sum = 0;
  #sinceMs: number;

  constructor(nowMs: number) {
    this.#sinceMs = nowMs;
  }

  /** The number of requests has changed. */
  changed(requests: number, nowMs: number): void {
    this.#sum = this.read(nowMs);
    this.#sinceMs = nowMs;
    this.#requests = requests;
  }

  /** The sum up to now. */
  read(nowMs: number): number {
    const ms = Math.max(0, nowMs - this.#sinceMs); // the clock may have been set back
    return this.#sum + (this.#requests * ms) / 1_000;
  }
}
