import { parse as parseToml } from 'smol-toml';

/** The keys from the top of a TOML document to a value; a number is the index in a list. */
export type KeyPath = readonly (string | number)[];

/** A string of TOML: multi-line basic, multi-line literal, basic, literal. There are no other quotes. */
export const TOML_STRING = String.raw`"""(?:\\[\s\S]|(?!""")[^\\])*"{3,5}|'''(?:(?!''')[\s\S])*'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'`;

/**
 * Finds the lines of the keys of a TOML document. Its parser reports a line only with an error, and one that keeps the
 * places of all keys would be one more parser, for a file that is foreign and may be hostile: this takes one pass.
 * @param text a document that the parser accepts
 * @returns the line of a key, counted from 1; of the nearest key above it if it has none; null for an unknown top
 */
export function tomlLines(text: string): (path: KeyPath) => number | null {
  const lines = linesOfKeys(text);
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
const STRING = new RegExp(TOML_STRING, 'y');
const PLAIN_VALUE = /[^,\]}#\r\n]*/y;

/** Walks through a document and notes the line of each key. Skips what it does not understand, a character at a time. */
function linesOfKeys(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  /** The last index of each list of tables. */
  const indexes = new Map<string, number>();
  let at = 0;
  /** The line at the place up to which lines are counted. */
  let line = 1;
  let counted = 0;

  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const [found = ''] = pattern.exec(text) ?? [];
    at += found.length;
    return found;
  };
  const next = (character: string): boolean => {
    if (text[at] !== character) return false;
    at += 1;
    return true;
  };
  /** Notes the line of a key or an item. */
  const below = (path: KeyPath, part: string | number): KeyPath => {
    for (; counted < at; counted++) if (text[counted] === '\n') line += 1;
    const inner = [...path, part];
    if (!lines.has(keyOf(inner))) lines.set(keyOf(inner), line);
    return inner;
  };
  /** A part of a dotted key, and the space after it. */
  const part = (): string => {
    take(SPACE);
    const quoted = take(STRING);
    const name = quoted ? (stringOf(quoted) ?? quoted.slice(1, -1)) : take(BARE_KEY);
    take(SPACE);
    return name;
  };
  /** `[a.b]` or `[[a.b]]`, after its first bracket. */
  const header = (): KeyPath => {
    const isList = next('[');
    let path: KeyPath = [];
    for (let isLast = false; !isLast; ) {
      path = below(path, part());
      isLast = !next('.');
      const list = keyOf(path);
      if (isList && isLast) indexes.set(list, (indexes.get(list) ?? -1) + 1);
      const index = indexes.get(list);
      if (index !== undefined) path = below(path, index);
    }
    if (next(']') && isList) next(']');
    return path;
  };
  const pair = (table: KeyPath): void => {
    let path = table;
    do path = below(path, part());
    while (next('.'));
    if (next('=')) value(path);
  };
  const value = (path: KeyPath): void => {
    take(SPACE);
    if (next('[')) inside(']', (index) => value(below(path, index)));
    else if (next('{')) inside('}', () => pair(path));
    else if (!take(STRING)) take(PLAIN_VALUE);
  };
  /** Reads the items up to the end of the document, or of a list or an inline table. */
  const inside = (end: ']' | '}' | null, item: (index: number) => void): void => {
    for (let index = 0; ; index++) {
      take(GAP);
      if (at >= text.length || (end !== null && next(end))) return;
      const start = at;
      item(index);
      take(GAP);
      if (end !== null) next(',');
      if (at === start) at += 1;
    }
  };

  let table: KeyPath = [];
  inside(null, () => {
    if (next('[')) table = header();
    else pair(table);
  });
  return lines;
}

/** The text that a string of TOML stands for; null: it is none. */
export function stringOf(token: string): string | null {
  try {
    const { value } = parseToml(`value = ${token}`);
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}
