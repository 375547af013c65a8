/** Those who want to hear of something. */
export class Listeners<T> {
  readonly #listeners = new Set<(what: T) => void>();

  /** @returns a function that ends it */
  readonly add = (listener: (what: T) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  tell(what: T): void {
    for (const listener of [...this.#listeners]) listener(what);
  }

  /** The next that is told. */
  next(): Promise<T> {
    return new Promise((resolve) => {
      const end = this.add((what) => {
        end();
        resolve(what);
      });
    });
  }
}
