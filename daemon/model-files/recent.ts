import type { Clock } from '../shared/clock.ts';

interface RecentOptions<T> {
  readonly elapsedMs: Clock['elapsedMs'];
  /** How long a result is kept, milliseconds. */
  readonly keptMs: (result: T) => number;
  /** The most results that are kept. */
  readonly most: number;
}

/** Keeps results for a while. Callers for the same key share one call; a failed call is not kept. */
export class Recent<T> {
  readonly #options: RecentOptions<T>;
  /** The oldest first. */
  readonly #kept = new Map<string, { readonly result: Promise<T>; until: number }>();

  constructor(options: RecentOptions<T>) {
    this.#options = options;
  }

  /** The kept result of a key, or that of `work`. @throws the error of `work` */
  get(key: string, work: () => Promise<T>): Promise<T> {
    const { elapsedMs, keptMs, most } = this.#options;
    const known = this.#kept.get(key);
    if (known && known.until > elapsedMs()) return known.result;
    this.#kept.delete(key);
    const result = work();
    const entry = { result, until: Number.POSITIVE_INFINITY };
    this.#kept.set(key, entry);
    for (const oldest of this.#kept.keys()) if (this.#kept.size > most) this.#kept.delete(oldest);
    result.then(
      (value) => {
        entry.until = elapsedMs() + keptMs(value);
      },
      () => {
        if (this.#kept.get(key) === entry) this.#kept.delete(key);
      },
    );
    return result;
  }
}
