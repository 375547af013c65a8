/** Largest difference in length: so many requests may go unanswered before two answers can be confused. */
const MAX_EXTRA_BYTES = 7;
/** After this time an answer is lost. */
const LOST_AFTER_MS = 1000;

/**
 * Tracks the replies that may still come late. A reply does not name its request and can be recognized only by its
 * length. A request that follows unanswered ones therefore reads some extra bytes, so that a late reply has the wrong
 * length.
 */
export class LateReplies {
  /** Times of unanswered requests, by `id:length` of the expected reply. */
  readonly #askedMs = new Map<string, number>();

  add(id: number, length: number, nowMs: number): void {
    this.#askedMs.set(`${id}:${length}`, nowMs);
  }

  settle(id: number, length: number): void {
    this.#askedMs.delete(`${id}:${length}`);
  }

  /** Number of extra bytes to read from these servos, at most `most`. */
  extraBytes(ids: readonly number[], length: number, most: number, nowMs: number): number {
    let [longestAgo, best] = [Number.POSITIVE_INFINITY, 0];
    for (let extra = 0; extra <= Math.min(MAX_EXTRA_BYTES, most); extra++) {
      const lastMs = Math.max(
        ...ids.map((id) => this.#askedMs.get(`${id}:${length + extra}`) ?? Number.NEGATIVE_INFINITY),
      );
      if (nowMs - lastMs > LOST_AFTER_MS) return extra;
      if (lastMs < longestAgo) [longestAgo, best] = [lastMs, extra];
    }
    return best;
  }
}
