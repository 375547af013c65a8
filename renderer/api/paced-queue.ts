/** Leaves half of a frame to what the items change on the page. */
const BUDGET_MS = 8;

/**
 * Handles items in order without keeping the page busy. The first of a task is handled at once. Others of the same task
 * wait for the next, in which as many are handled as fit into 8 ms: a page that lagged behind receives hundreds of events
 * in one task, and would render after each.
 */
export class PacedQueue<T> {
  readonly #handle: (item: T) => void;
  readonly #now: () => number;
  #waiting: T[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param now monotonic, in ms */
  constructor(handle: (item: T) => void, now: () => number = () => performance.now()) {
    this.#handle = handle;
    this.#now = now;
  }

  push(item: T): void {
    if (this.#timer !== undefined) {
      this.#waiting.push(item);
      return;
    }
    this.#timer = setTimeout(() => this.#nextTask(), 0);
    this.#handle(item);
  }

  /** Drops what waits; the next item is handled at once. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = [];
  }

  #nextTask(): void {
    this.#timer = undefined;
    if (this.#waiting.length === 0) return;
    this.#timer = setTimeout(() => this.#nextTask(), 0);
    const items = this.#waiting;
    const startedAt = this.#now();
    let handled = 0;
    // `clear` replaces the array: then the others are no longer wanted.
    while (items === this.#waiting && handled < items.length) {
      const item = items[handled] as T;
      handled += 1;
      this.#handle(item);
      if (this.#now() - startedAt >= BUDGET_MS) break;
    }
    if (items === this.#waiting) items.splice(0, handled);
  }
}
