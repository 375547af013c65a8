/** Lets one at a time work on the same key, in the order that they came. */
export class Turns {
  readonly #last = new Map<string, Promise<void>>();

  /** Whether somebody works on it, or waits to. */
  isTaken(key: string): boolean {
    return this.#last.has(key);
  }

  /**
   * Waits until the key is free, then takes it.
   * @returns what gives it back; calling it again is harmless
   * @throws the reason of `signal` when that is aborted meanwhile; the turn is then let go
   */
  async take(key: string, signal?: AbortSignal): Promise<() => void> {
    const { promise: over, resolve: giveBack } = Promise.withResolvers<void>();
    const before = this.#last.get(key) ?? Promise.resolve();
    const mine = before.then(() => over);
    this.#last.set(key, mine);
    void mine.then(() => {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    });
    const { promise: given, reject } = Promise.withResolvers<never>();
    const onAbort = () => reject(signal?.reason);
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      await Promise.race([before, given]);
      return () => {
        if (this.#last.get(key) === mine) this.#last.delete(key); // at once: nobody waits behind
        giveBack();
      };
    } catch (error) {
      giveBack();
      throw error;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }
}
