interface EntryLimits {
  readonly entries: number;
  /** Of all entries together. */
  readonly characters: number;
}

/** The newest entries of a log, in their order. */
export class RecentEntries {
  readonly #limits: EntryLimits;
  #entries: string[] = [];
  #characters = 0;

  constructor(limits: EntryLimits) {
    this.#limits = limits;
  }

  /** Oldest first. */
  get list(): readonly string[] {
    return this.#entries;
  }

  /** Adds an entry; the oldest go once there are too many. One that is longer than all may be loses its end. */
  add(entry: string): void {
    const { entries, characters } = this.#limits;
    const kept = entry.slice(0, characters);
    this.#entries.push(kept);
    this.#characters += kept.length;
    while (this.#entries.length > entries || this.#characters > characters) {
      this.#characters -= this.#entries.shift()?.length ?? 0;
    }
  }
}
