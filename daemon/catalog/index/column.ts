/** No value is wanted: every entry will do. */
export const ANY = -1;
/** A value is wanted that no entry has. */
const UNKNOWN = -2;

/** One text of each entry as a number that stands for it, so that comparing and counting are about numbers. */
export class Column {
  /** By number, as each was first spelt. */
  readonly values: string[] = [];
  /** By position. */
  readonly codes: Uint32Array;
  readonly #known = new Map<string, number>();
  readonly #same: (value: string) => string;

  /** @param same gives equal texts for values that count as one */
  constructor(size: number, same: (value: string) => string = (value) => value) {
    this.codes = new Uint32Array(size);
    this.#same = same;
  }

  set(position: number, value: string): void {
    const key = this.#same(value);
    const known = this.#known.get(key);
    this.codes[position] = known ?? this.values.length;
    if (known !== undefined) return;
    this.#known.set(key, this.values.length);
    this.values.push(value);
  }

  /** What a filter compares with; an empty value is no filter. */
  wanted(value: string | undefined): number {
    return value ? (this.#known.get(this.#same(value)) ?? UNKNOWN) : ANY;
  }
}
