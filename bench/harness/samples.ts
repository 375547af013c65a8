import { createHistogram } from 'node:perf_hooks';

/** With fewer than 100 samples, the 99th percentile is the highest one. */
export interface Summary {
  readonly median: number;
  readonly p99: number;
  readonly samples: number;
}

/** Histograms count integers: they record millionths of the unit, up to a million units. */
const PARTS = 1e6;
const DIGITS = 4;

export function summary(values: readonly number[]): Summary {
  const histogram = createHistogram({ lowest: 1, highest: PARTS * PARTS, figures: DIGITS });
  for (const value of values) histogram.record(Math.max(1, Math.round(value * PARTS)));
  const at = (percentile: number) => Number((histogram.percentile(percentile) / PARTS).toPrecision(DIGITS));
  return { median: at(50), p99: at(99), samples: histogram.count };
}

/** The samples of each; null: there is nothing to compare with. */
interface Turns<T> {
  readonly ours: readonly T[];
  readonly beside: readonly T[] | null;
}

/** Measures both alternately, or ours alone. Nothing warms up. */
export async function takeTurns<T>(
  count: number,
  ours: () => Promise<T>,
  beside: (() => Promise<T>) | null,
): Promise<Turns<T>> {
  const taken = { ours: [] as T[], beside: beside && ([] as T[]) };
  for (let turn = 0; turn < count; turn++) {
    taken.ours.push(await ours());
    if (beside) taken.beside?.push(await beside());
  }
  return taken;
}

/** @param pick one number of a sample */
export function summaries<T>({ ours, beside }: Turns<T>, pick: (sample: T) => number) {
  return { ours: summary(ours.map(pick)), beside: beside && summary(beside.map(pick)) };
}

/** Measures both alternately, so that the noise of the machine affects both; the first turn warms up and does not count. */
export async function alternate(
  count: number,
  ours: () => Promise<number>,
  beside: () => Promise<number>,
): Promise<{ ours: Summary; beside: Summary }> {
  const taken = { ours: [] as number[], beside: [] as number[] };
  for (let turn = 0; turn <= count; turn++) {
    taken.ours.push(await ours());
    taken.beside.push(await beside());
  }
  return { ours: summary(taken.ours.slice(1)), beside: summary(taken.beside.slice(1)) };
}
