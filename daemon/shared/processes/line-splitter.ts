import { stripVTControlCharacters } from 'node:util';

/** The longest line kept, in bytes; the rest of a longer one is dropped. */
export const MAX_LINE_BYTES = 8 * 1024;

export type OnLine = (text: string, truncated: boolean) => void;

/**
 * Splits a stream of bytes into lines of text, and never buffers more than MAX_LINE_BYTES: longer lines are truncated,
 * bytes that are not UTF-8 become U+FFFD, colour codes are removed.
 */
export class LineSplitter {
  readonly #onLine: OnLine;
  readonly #carriageReturns: boolean;
  #held = Buffer.alloc(0);
  #truncated = false;

  /** @param how.carriageReturns whether a carriage return ends a line too, as in git's progress output */
  constructor(onLine: OnLine, how: { carriageReturns?: boolean } = {}) {
    this.#onLine = onLine;
    this.#carriageReturns = how.carriageReturns ?? false;
  }

  write(chunk: Buffer): void {
    let start = 0;
    for (;;) {
      const end = this.#endOfLine(chunk, start);
      this.#hold(chunk.subarray(start, end === -1 ? chunk.length : end));
      if (end === -1) return;
      this.#emit();
      start = end + 1;
    }
  }

  /** Emits a last line without a line feed. */
  end(): void {
    if (this.#held.length > 0 || this.#truncated) this.#emit();
  }

  #endOfLine(chunk: Buffer, from: number): number {
    const feed = chunk.indexOf(0x0a, from);
    if (!this.#carriageReturns) return feed;
    const carriage = chunk.subarray(from, feed === -1 ? chunk.length : feed).indexOf(0x0d);
    return carriage === -1 ? feed : from + carriage;
  }

  #hold(part: Buffer): void {
    const room = MAX_LINE_BYTES - this.#held.length;
    if (part.length > room) this.#truncated = true;
    const kept = part.subarray(0, room);
    // A copy: a view would keep the whole chunk in memory.
    if (kept.length > 0) this.#held = this.#held.length === 0 ? Buffer.from(kept) : Buffer.concat([this.#held, kept]);
  }

  #emit(): void {
    const text = stripVTControlCharacters(this.#held.toString('utf8')).replace(/\r+$/, '');
    const truncated = this.#truncated;
    this.#held = Buffer.alloc(0);
    this.#truncated = false;
    this.#onLine(text, truncated);
  }
}
