const WITHIN_TEXT = /["\\]/g;
const BETWEEN_TEXTS = /["{}[\],]/g;
/** What stands before the list, its bracket included; a quote that is escaped begins no key. */
const LIST_BEGINS = /(?<!\\)"items"\s*:\s*\[$/;
const TAIL_CHARACTERS = 100;

/** More of one item, or of all that is not the items, is no catalog. */
const MAX_CHARACTERS = 1024 ** 2;

/**
 * Cuts `{"items": […], …}` into the texts of its items as it arrives. A list of a hundred thousand models is never parsed
 * in one go, as nothing else would have its turn meanwhile; what is no JSON is noticed all the same, at its end.
 */
export class ItemSplitter {
  #depth = 0;
  #isWithinText = false;
  #isEscaped = false;
  /** What has arrived of an item; null: not among the items. */
  #item: string | null = null;
  #isFirst = true;
  /** What has arrived that is no item. */
  #rest = '';
  #restTail = '';

  /** @returns the texts of the items that are whole now @throws RangeError when it is too much */
  *push(text: string): Generator<string> {
    let kept = 0;
    const keepUntil = (end: number) => {
      this.#keep(text.slice(kept, end));
      kept = end;
    };
    for (let at = 0; at < text.length; ) {
      if (this.#isEscaped) {
        this.#isEscaped = false;
        at += 1;
        continue;
      }
      const marks = this.#isWithinText ? WITHIN_TEXT : BETWEEN_TEXTS;
      marks.lastIndex = at;
      const mark = marks.exec(text);
      if (!mark) break;
      at = mark.index + 1;
      const isOfList = this.#item !== null && this.#depth === 2;
      switch (mark[0]) {
        case '"':
          this.#isWithinText = !this.#isWithinText;
          break;
        case '\\':
          this.#isEscaped = true;
          break;
        case '{':
        case '[':
          this.#depth += 1;
          if (this.#item === null && this.#depth === 2) {
            keepUntil(at);
            if (LIST_BEGINS.test(this.#restTail)) this.#item = '';
          }
          break;
        case ',':
          if (!isOfList) break;
          keepUntil(mark.index);
          kept = at;
          yield this.#item ?? '';
          this.#item = '';
          this.#isFirst = false;
          break;
        default:
          this.#depth -= 1;
          if (!isOfList) break;
          keepUntil(mark.index);
          // Nothing between two brackets is no item; nothing after a comma is a mistake, and its reader will say so.
          if (!this.#isFirst || this.#item?.trim() !== '') yield this.#item ?? '';
          this.#item = null;
          this.#isFirst = true;
      }
    }
    keepUntil(text.length);
  }

  /** @returns what is not the items, with an empty list in their place @throws SyntaxError */
  end(): unknown {
    return JSON.parse(this.#rest);
  }

  #keep(text: string): void {
    if (this.#item === null) {
      this.#rest += text;
      this.#restTail = (this.#restTail + text.slice(-TAIL_CHARACTERS)).slice(-TAIL_CHARACTERS);
    } else {
      this.#item += text;
    }
    if (this.#rest.length > MAX_CHARACTERS || (this.#item?.length ?? 0) > MAX_CHARACTERS) {
      throw new RangeError('too long');
    }
  }
}
