import { stripVTControlCharacters } from 'node:util';

/** The longest line that is kept, in bytes; the rest of a longer one is dropped as it arrives. */
export const MAX_LINE_BYTES = 8 * 1024;

export type OnLine = (text: string, truncated: boolean) => void;

/**
 * Cuts a stream of bytes into lines of text. Never holds more than MAX_LINE_BYTES, whatever arrives: a line of 100 MB
 * becomes its beginning, bytes that are not UTF-8 become U+FFFD, colour codes are taken out.
 */
export class LineSplitter {
  readonly #onLine: OnLine;
  #held = Buffer.alloc(0);
  #truncated = false;

  constructor(onLine: OnLine) {
    this.#onLine = onLine;
  }

  write(chunk: Buffer): void {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(0x0a, start);
      this.#hold(chunk.subarray(start, end === -1 ? chunk.length : end));
      if (end === -1) return;
      this.#emit();
      start = end + 1;
    }
  }

  /** A last line without a line feed is a line too. */
  end(): void {
    if (this.#held.length > 0 || this.#truncated) this.#emit();
  }

  #hold(part: Buffer): void {
    const room = MAX_LINE_BYTES - this.#held.length;
    if (part.length > room) this.#truncated = true;
    const kept = part.subarray(0, room);
    // Copied: a view would keep the whole chunk of the pipe alive.
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
