import type { Logger } from '../../shared/logger.ts';

/** Limits the log lines for a file with many invalid items. */
const MAX_LOGGED = 20;

/** Logs the items that a catalog omits, and the reasons. */
export class OmittedItems {
  readonly #log: Logger;
  #count = 0;

  constructor(log: Logger) {
    this.#log = log;
  }

  add(what: string, reason: string): void {
    this.#count += 1;
    if (this.#count <= MAX_LOGGED) this.#log.warn(`catalog: ${what.slice(0, 200)} is omitted: ${reason.slice(0, 500)}`);
  }

  /** Call after the last item: logs the total if some were not logged. */
  end(): void {
    if (this.#count > MAX_LOGGED) this.#log.warn(`catalog: ${this.#count} items are omitted in total`);
  }
}
