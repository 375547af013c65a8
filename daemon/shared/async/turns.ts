/** Lets one piece of work be done at a time, in the order that it was asked for. */
export class Turn {
  #last: Promise<unknown> = Promise.resolve();

  /** Does `work` once all that was asked for before it is over, however that ended. */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }

  /** Settles once all that was asked for so far is over. Never rejects. */
  async over(): Promise<void> {
    await this.#last;
  }
}

/** A turn for each key. */
export class Turns {
  /** Those that work or wait, by key. */
  readonly #keys = new Map<string, { readonly turn: Turn; readonly takers: Set<symbol> }>();

  /** Whether somebody works on it, or waits to. */
  isTaken(key: string): boolean {
    return this.#keys.has(key);
  }

  /** Does `work` while nobody else works on the key. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const giveBack = await this.take(key);
    try {
      return await work();
    } finally {
      giveBack();
    }
  }

  /**
   * Waits until the key is free, then takes it.
   * @returns what gives it back; calling it again is harmless
   * @throws the reason of `signal` when that is aborted meanwhile; the turn is then let go
   */
  async take(key: string, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    const taken = this.#keys.get(key) ?? { turn: new Turn(), takers: new Set() };
    this.#keys.set(key, taken);
    const { turn, takers } = taken;
    const me = Symbol(key);
    takers.add(me);
    const given = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    const giveBack = () => {
      over.resolve();
      if (takers.delete(me) && takers.size === 0) this.#keys.delete(key);
    };
    const onAbort = () => given.reject(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    void turn.run(() => {
      given.resolve();
      return over.promise;
    });
    try {
      await given.promise;
      return giveBack;
    } catch (error) {
      giveBack();
      throw error;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }
}
