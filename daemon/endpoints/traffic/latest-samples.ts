import type { Percentiles } from '../../contract/endpoints/endpoint-traffic.ts';

/** The latest values of a measurement. */
export class LatestSamples {
  readonly #values: Float64Array;
  #added = 0;

  /** @param size the number of values kept */
  constructor(size: number) {
    this.#values = new Float64Array(size);
  }

  add(value: number): void {
    this.#values[this.#added % this.#values.length] = value;
    this.#added += 1;
  }

  /** Sorts all values, so it is for readers and not for each request. null: no value yet. */
  percentiles(): Percentiles | null {
    if (this.#added === 0) return null;
    const sorted = this.#values.slice(0, this.#added).sort();
    const at = (share: number) => rounded(sorted[Math.ceil(share * sorted.length) - 1] ?? 0);
    return { p50: at(0.5), p99: at(0.99) };
  }
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
