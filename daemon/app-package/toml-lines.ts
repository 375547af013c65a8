import { parse as parseToml } from 'smol-toml';

/** The keys from the top of a TOML document to a value; a number is the index in a list. */
export type KeyPath = readonly (string | number)[];

/**
 * Finds the lines of the keys of a TOML document, which its parser does not tell.
 * @param text a document that the parser accepts
 * @returns the line of a key, counted from 1; of the nearest key above it if it has none; null for an unknown top
 */
export function tomlLines(text: string): (path: KeyPath) => number | null {
  const lines = new Reader(text).read();
  return (path) => {
    for (let length = path.length; length > 0; length--) {
      const line = lines.get(keyOf(path.slice(0, length)));
      if (line !== undefined) return line;
    }
    return null;
  };
}

const keyOf = (path: KeyPath) => JSON.stringify(path);

const SPACE = /[ \t]*/y;
const GAP = /(?:[ \t\r\n]|#[^\n]*)*/y;
const BARE_KEY = /[\w-]+/y;
const TEXT = /"""(?:\\[\s\S]|(?!""")[^\\])*"{3,5}|'''(?:(?!''')[\s\S])*'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'/y;
const PLAIN_VALUE = /[^,\]}#\r\n]*/y;

/** Walks through a document and notes the line of each key. Skips what it does not understand, a character at a time. */
class Reader {
  readonly #text: string;
  readonly #lines = new Map<string, number>();
  /** The last index of each list of tables. */
  readonly #indexes = new Map<string, number>();
  #at = 0;
  #line = 1;
  /** The place up to which lines are counted. */
  #counted = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): ReadonlyMap<string, number> {
    let table: KeyPath = [];
    for (;;) {
      this.#take(GAP);
      if (this.#at >= this.#text.length) return this.#lines;
      if (this.#next('[')) table = this.#header();
      else this.#pair(table);
    }
  }

  /** `[a.b]` or `[[a.b]]`, after its first bracket. */
  #header(): KeyPath {
    const isList = this.#next('[');
    const keys = this.#keys();
    if (this.#next(']') && isList) this.#next(']');
    let path: KeyPath = [];
    for (const [index, key] of keys.entries()) {
      path = [...path, key];
      this.#note(path);
      const list = keyOf(path);
      if (isList && index === keys.length - 1) this.#indexes.set(list, (this.#indexes.get(list) ?? -1) + 1);
      const last = this.#indexes.get(list);
      if (last === undefined) continue;
      path = [...path, last];
      this.#note(path);
    }
    return path;
  }

  #pair(table: KeyPath): void {
    const start = this.#at;
    let path = table;
    for (const key of this.#keys()) {
      path = [...path, key];
      this.#note(path);
    }
    if (this.#next('=')) this.#value(path);
    if (this.#at === start) this.#at += 1;
  }

  /** The parts of a dotted key, and the space after it. */
  #keys(): string[] {
    const keys: string[] = [];
    do {
      this.#take(SPACE);
      const quoted = this.#take(TEXT);
      keys.push(quoted ? textOf(quoted) : this.#take(BARE_KEY));
      this.#take(SPACE);
    } while (this.#next('.'));
    return keys;
  }

  #value(path: KeyPath): void {
    this.#take(SPACE);
    if (this.#next('[')) this.#list(path);
    else if (this.#next('{')) this.#inlineTable(path);
    else if (!this.#take(TEXT)) this.#take(PLAIN_VALUE);
  }

  #list(path: KeyPath): void {
    for (let index = 0; ; index++) {
      this.#take(GAP);
      if (this.#at >= this.#text.length || this.#next(']')) return;
      const start = this.#at;
      this.#note([...path, index]);
      this.#value([...path, index]);
      this.#take(GAP);
      this.#next(',');
      if (this.#at === start) this.#at += 1;
    }
  }

  #inlineTable(path: KeyPath): void {
    for (;;) {
      this.#take(GAP);
      if (this.#at >= this.#text.length || this.#next('}')) return;
      if (!this.#next(',')) this.#pair(path);
    }
  }

  #note(path: KeyPath): void {
    const key = keyOf(path);
    if (!this.#lines.has(key)) this.#lines.set(key, this.#lineHere());
  }

  #lineHere(): number {
    for (; this.#counted < this.#at; this.#counted++) if (this.#text[this.#counted] === '\n') this.#line += 1;
    return this.#line;
  }

  #next(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found = ''] = pattern.exec(this.#text) ?? [];
    this.#at += found.length;
    return found;
  }
}

function textOf(quoted: string): string {
  try {
    return Object.keys(parseToml(`${quoted} = 0`))[0] ?? '';
  } catch {
    return quoted.slice(1, -1);
  }
}
