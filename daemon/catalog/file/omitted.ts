import type { Logger } from '../../shared/logger.ts';

/** Told one by one; a file that is wrong throughout does not fill the log. */
const MOST_TOLD = 20;

/** Items that a catalog does without, and why: one that is wrong never takes the others with it. */
export class LeftOut {
  readonly #log: Logger;
  #count = 0;

  constructor(log: Logger) {
    this.#log = log;
  }

  add(what: string, reason: string): void {
    this.#count += 1;
    if (this.#count <= MOST_TOLD) this.#log.warn(`catalog: ${what.slice(0, 200)} is left out: ${reason.slice(0, 500)}`);
  }

  /** After the last. */
  end(): void {
    if (this.#count > MOST_TOLD) this.#log.warn(`catalog: ${this.#count} items are left out in all`);
  }
}
