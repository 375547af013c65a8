import type { Token, Tokenizer } from 'node-llama-cpp';

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
