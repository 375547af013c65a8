/** Finds texts that end a generation, even when they are spread over several pieces of output. */
export class StopTexts {
  readonly #stops: readonly string[];
  /** The end of the output so far that may be the beginning of a stop text. */
  #held = '';
  #isStopped = false;

  constructor(stops: readonly string[]) {
    this.#stops = stops.filter((stop) => stop !== '');
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** @returns the text that can be passed on; ends before a stop text */
  add(text: string): string {
    const all = this.#held + text;
    const at = Math.min(...this.#stops.map((stop) => all.indexOf(stop)).filter((index) => index >= 0));
    if (at !== Number.POSITIVE_INFINITY) {
      this.#isStopped = true;
      this.#held = '';
      return all.slice(0, at);
    }
    const held = Math.max(0, ...this.#stops.map((stop) => overlap(all, stop)));
    this.#held = all.slice(all.length - held);
    return all.slice(0, all.length - held);
  }

  /** @returns the text still held back when the output ends */
  rest(): string {
    const rest = this.#held;
    this.#held = '';
    return rest;
  }
}

/** The length of the longest end of a text with which another one begins. */
function overlap(text: string, other: string): number {
  for (let length = Math.min(text.length, other.length - 1); length > 0; length -= 1) {
    if (other.startsWith(text.slice(text.length - length))) return length;
  }
  return 0;
}
