import { JSONParser, TokenType } from '@streamparser/json';

/** More of one item, or of all that is not the items, is no catalog. */
const MAX_BYTES = 1024 ** 2;
/** Deeper nesting is no catalog, and closing each level would take the parser as long as there are levels. */
const MAX_DEPTH = 64;
/** About a millisecond's work. */
const SLICE_BYTES = 16 * 1024;

const depthChange: Partial<Record<TokenType, number>> = {
  [TokenType.LEFT_BRACE]: 1,
  [TokenType.LEFT_BRACKET]: 1,
  [TokenType.RIGHT_BRACE]: -1,
  [TokenType.RIGHT_BRACKET]: -1,
};

/**
 * Parses a JSON list item by item as it arrives: a list of a hundred thousand models that is parsed in one go holds the
 * event loop for a second. Only the item under way is kept.
 */
export class ItemParser {
  readonly #parser: JSONParser;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  /** Whole, and not yet taken. */
  #items: unknown[] = [];
  #hasList = false;
  #depth = 0;
  #bytesSinceItem = 0;

  /** @param listPath `$` for a bare list, `$.items` for `{"items": […], …}` */
  constructor(listPath: '$' | '$.items') {
    // The first partial value says that the list has begun, also where it is empty.
    this.#parser = new JSONParser({ paths: [`${listPath}.*`], keepStack: false, emitPartialValues: true });
    this.#parser.onToken = ({ token }) => {
      this.#depth += depthChange[token] ?? 0;
      if (this.#depth > MAX_DEPTH) throw new RangeError('nested too deeply');
    };
    this.#parser.onValue = ({ value, parent, partial }) => {
      if (!Array.isArray(parent)) throw new TypeError(`${listPath} is no list`);
      this.#hasList = true;
      if (!partial) this.#items.push(value);
    };
  }

  /** @returns the items that are whole now @throws Error when it is no JSON, no list, or too much */
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

  /** After the last bytes. @throws Error when the list is not whole, or none */
  end(): void {
    this.#parser.write(this.#decoder.decode());
    if (!this.#parser.isEnded || !this.#hasList) throw new TypeError('no whole list');
  }
}
