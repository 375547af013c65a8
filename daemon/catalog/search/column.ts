/** The filter has no value: every entry matches. */
export const ANY = -1;
/** The filter's value is one that no entry has. */
const UNKNOWN = -2;

/** One text of each entry, encoded as a number for fast comparison and counting. */
export class Column {
  /** By code, in the first spelling. */
  readonly values: string[] = [];
  /** Codes by position. */
  readonly codes: Uint32Array;
  readonly #known = new Map<string, number>();
  readonly #keyOf: (value: string) => string;

  /** @param keyOf returns equal keys for values that count as equal */
  constructor(size: number, keyOf: (value: string) => string = (value) => value) {
    this.codes = new Uint32Array(size);
    this.#keyOf = keyOf;
  }

  set(position: number, value: string): void {
    const key = this.#keyOf(value);
    const known = this.#known.get(key);
    this.codes[position] = known ?? this.values.length;
    if (known !== undefined) return;
    this.#known.set(key, this.values.length);
    this.values.push(value);
  }

  /** The code for a filter's value; ANY for an empty value. */
  wanted(value: string | undefined): number {
    return value ? (this.#known.get(this.#keyOf(value)) ?? UNKNOWN) : ANY;
  }
}
