/**
 * Loads the modules that are not part of the first load. After one has failed, nothing more is loaded until the window is
 * reloaded: the bundler takes a style sheet that failed for a loaded one, and a page would appear without its styles.
 */
export class CodeLoader {
  #failure: unknown = null;

  /** @throws Error the first failure of any module */
  async load<T>(load: () => Promise<T>): Promise<T> {
    if (this.#failure !== null) throw this.#failure;
    try {
      return await load();
    } catch (error) {
      this.#failure ??= error;
      throw error;
    }
  }
}
