/** How far the lengths of answers are told apart: so many requests may go unanswered before one looks like another. */
const MOST_EXTRA_BYTES = 7;
/** What has not come by then was lost. */
const LATEST_MS = 1000;

/**
 * Which answers may still come late. An answer does not say which request it is for; its length is all there is to tell
 * by. So a request that follows unanswered ones asks for some bytes more, and what comes late does not fit.
 */
export class OwedAnswers {
  /** When a servo was asked for an answer of so many bytes of data that has not come, by `id:length`. */
  readonly #askedMs = new Map<string, number>();

  add(id: number, length: number, nowMs: number): void {
    this.#askedMs.set(`${id}:${length}`, nowMs);
  }

  /** It has come. */
  settle(id: number, length: number): void {
    this.#askedMs.delete(`${id}:${length}`);
  }

  /** How many bytes more these servos are to be asked for; at most so many. */
  extraBytes(ids: readonly number[], length: number, most: number, nowMs: number): number {
    let [longestAgo, best] = [Number.POSITIVE_INFINITY, 0];
    for (let extra = 0; extra <= Math.min(MOST_EXTRA_BYTES, most); extra++) {
      const lastMs = Math.max(
        ...ids.map((id) => this.#askedMs.get(`${id}:${length + extra}`) ?? Number.NEGATIVE_INFINITY),
      );
      if (nowMs - lastMs > LATEST_MS) return extra;
      if (lastMs < longestAgo) [longestAgo, best] = [lastMs, extra];
    }
    return best;
  }
}
