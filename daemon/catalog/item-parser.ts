import { JSONParser, TokenType } from '@streamparser/json';

/** The limit of one item, and of everything around the items. */
const MAX_BYTES = 1024 ** 2;
/** Limited, because the parser's time to close a level grows with the depth. */
const MAX_DEPTH = 64;
/** Parsed in about a millisecond. */
const SLICE_BYTES = 16 * 1024;

const depthChange: Partial<Record<TokenType, number>> = {
  [TokenType.LEFT_BRACE]: 1,
  [TokenType.LEFT_BRACKET]: 1,
  [TokenType.RIGHT_BRACE]: -1,
  [TokenType.RIGHT_BRACKET]: -1,
};

/**
 * Parses a JSON list item by item as it arrives: parsing a list of a hundred thousand models at once would block the
 * event loop for a second. Only the current item is in memory.
 */
export class ItemParser {
  readonly #parser: JSONParser;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  /** Complete items, not yet yielded. */
  #items: unknown[] = [];
  #hasList = false;
  #depth = 0;
  #bytesSinceItem = 0;

  /** @param listPath `$` for a bare list, `$.items` for `{"items": […], …}` */
  constructor(listPath: '$' | '$.items') {
    // The first partial value marks the start of the list, even of an empty one.
    this.#parser = new JSONParser({ paths: [`${listPath}.*`], keepStack: false, emitPartialValues: true });
    this.#parser.onToken = ({ token }) => {
      this.#depth += depthChange[token] ?? 0;
      if (this.#depth > MAX_DEPTH) throw new RangeError('nested too deeply');
    };
    this.#parser.onValue = ({ value, parent, partial }) => {
      if (!Array.isArray(parent)) throw new TypeError(`${listPath} is not a list`);
      this.#hasList = true;
      if (!partial) this.#items.push(value);
    };
  }

  /** @returns the items completed by these bytes @throws Error for invalid JSON, a missing list, or too much data */
  *push(bytes: Uint8Array): Generator<unknown> {
    for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
      const slice = bytes.subarray(at, at + SLICE_BYTES);
      this.#bytesSinceItem += slice.length;
      this.#parser.write(this.#decoder.decode(slice, { stream: true }));
      const items = this.#items;
      this.#items = [];
      if (items.length > 0) this.#bytesSinceItem = 0;
      if (this.#bytesSinceItem > MAX_BYTES) throw new RangeError('too long');
      yield* items;
    }
  }

  /** Call after the last bytes. @throws Error when the list is incomplete or missing */
  end(): void {
    this.#parser.write(this.#decoder.decode());
    if (!this.#parser.isEnded || !this.#hasList) throw new TypeError('incomplete or missing list');
  }
}
