import { ApiError } from './api-error.ts';

/** Requests that may wait; one more is refused. */
const MAX_WAITING = 256;

/** A fixed number of places for work; requests wait for one in their order. */
export class Places<Place extends object> {
  readonly #free: Place[];
  readonly #waiting = new Set<(place: Place) => void>();

  constructor(places: readonly Place[]) {
    this.#free = [...places];
  }

  /**
   * Runs work in a place once one is free.
   * @param prefers ranks the free places; the highest is taken
   * @throws ApiError 503 when too many wait, the signal's reason when it aborts first
   */
  async use<Result>(
    signal: AbortSignal,
    work: (place: Place) => Promise<Result>,
    prefers: (place: Place) => number = () => 0,
  ): Promise<Result> {
    const place = this.#takeFree(prefers) ?? (await this.#next(signal));
    try {
      signal.throwIfAborted();
      return await work(place);
    } finally {
      this.#release(place);
    }
  }

  #takeFree(prefers: (place: Place) => number): Place | null {
    const [best] = this.#free.toSorted((a, b) => prefers(b) - prefers(a));
    if (best === undefined) return null;
    this.#free.splice(this.#free.indexOf(best), 1);
    return best;
  }

  #next(signal: AbortSignal): Promise<Place> {
    if (this.#waiting.size >= MAX_WAITING) {
      const message = 'Too many requests are waiting for this model. Try again later.';
      throw new ApiError(503, message, { code: 'overloaded', retryAfterSeconds: 1 });
    }
    return new Promise((resolve, reject) => {
      const receive = (place: Place) => {
        signal.removeEventListener('abort', leave);
        resolve(place);
      };
      const leave = () => {
        this.#waiting.delete(receive);
        reject(signal.reason);
      };
      signal.throwIfAborted();
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.add(receive);
    });
  }

  #release(place: Place): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free.push(place);
    } else {
      this.#waiting.delete(next);
      next(place);
    }
  }
}
