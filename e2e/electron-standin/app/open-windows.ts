/** The windows that are open, as far as the life of the app depends on them. */

export interface OpenWindow {
  /** Runs the listeners of `close`. @returns false when one of them keeps it open */
  closeUnlessPrevented(): boolean;
  destroy(): void;
}

class OpenWindows {
  /** Called each time the last window has closed. */
  onEmptied: () => void = () => {};
  readonly #windows = new Set<OpenWindow>();

  get all(): OpenWindow[] {
    return [...this.#windows];
  }

  add(window: OpenWindow): void {
    this.#windows.add(window);
  }

  remove(window: OpenWindow): void {
    if (this.#windows.delete(window) && this.#windows.size === 0) this.onEmptied();
  }
}

export const openWindows = new OpenWindows();
