import type { Token, Tokenizer } from 'node-llama-cpp';

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

const INCOMPLETE = '\ufffd';
/** A character has at most 4 bytes. */
const MAX_PARTS = 4;
/** The tokens before, on which a space can depend. */
const BEFORE = 3;

/** Turns tokens into text as they come. A character may be spread over several tokens. */
export class TokenText {
  readonly #detokenize: Tokenizer['detokenize'];
  #parts: Token[] = [];
  #before: Token[];

  constructor(detokenize: Tokenizer['detokenize'], before: readonly Token[]) {
    this.#detokenize = detokenize;
    this.#before = before.slice(-BEFORE);
  }

  /** @returns the text that is complete with this token, often empty */
  add(token: Token): string {
    this.#parts.push(token);
    const text = this.#detokenize(this.#parts, false, this.#before);
    return text.endsWith(INCOMPLETE) && this.#parts.length < MAX_PARTS ? '' : this.#passOn(text);
  }

  /** @returns the text of an incomplete character at the end */
  rest(): string {
    return this.#parts.length === 0 ? '' : this.#passOn(this.#detokenize(this.#parts, false, this.#before));
  }

  #passOn(text: string): string {
    this.#before = [...this.#before, ...this.#parts].slice(-BEFORE);
    this.#parts = [];
    return text;
  }
}
