/** Runs one piece of work at a time, in the order of the calls. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` after all earlier work has settled. */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }

  /** Waits for all work so far to settle. Never rejects. */
  async idle(): Promise<void> {
    await this.#last;
  }
}

/** A mutex for each key. */
export class KeyedMutex {
  /** Running and waiting work, by key. */
  readonly #keys = new Map<string, { readonly mutex: Mutex; readonly holders: Set<symbol> }>();

  /** Whether work for the key runs or waits. */
  isLocked(key: string): boolean {
    return this.#keys.has(key);
  }

  /** Runs `work` while holding the key. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const release = await this.acquire(key);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /**
   * Waits until the key is free, then holds it.
   * @returns a function that releases it; further calls do nothing
   * @throws the reason of `signal` if it aborts while waiting
   */
  async acquire(key: string, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    const entry = this.#keys.get(key) ?? { mutex: new Mutex(), holders: new Set() };
    this.#keys.set(key, entry);
    const { mutex, holders } = entry;
    const me = Symbol(key);
    holders.add(me);
    const acquired = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const release = () => {
      released.resolve();
      if (holders.delete(me) && holders.size === 0) this.#keys.delete(key);
    };
    const onAbort = () => acquired.reject(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    void mutex.run(() => {
      acquired.resolve();
      return released.promise;
    });
    try {
      await acquired.promise;
      return release;
    } catch (error) {
      release();
      throw error;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }
}
