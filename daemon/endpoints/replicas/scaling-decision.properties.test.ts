import { expect, test } from 'vitest';
import { seededRandom } from '../../testing/seeded-random.ts';
import { LoadHistory } from './load-history.ts';
import { decideReplicas, loadMeasure } from './scaling-decision.ts';

const SAMPLE_MS = 5_000;
const seed = Number(process.env['TORTURE_SEED'] ?? 20_261_123);
const random = seededRandom(seed);
const between = (low: number, high: number) => low + random() * (high - low);
const CASES = 200;

/** The numbers of replicas that a load leads to, sample by sample. */
function replicasOver(
  loads: readonly number[],
  limits: Parameters<typeof decideReplicas>[0]['limits'],
  threshold: number,
  first = limits.min,
): number[] {
  const history = new LoadHistory();
  let count = first;
  return loads.map((load, index) => {
    history.add({ fromMs: index * SAMPLE_MS, toMs: (index + 1) * SAMPLE_MS, load });
    const { recent, highest } = history;
    const measure = loadMeasure({ pendingRequests: threshold });
    const rest = { ready: count, room: null, canMeasure: true, blocked: null };
    count = decideReplicas({ limits, measure, count, recent, highest, ...rest });
    return count;
  });
}

const changesIn = (counts: readonly number[]) =>
  counts.slice(1).flatMap((count, index) => (count === counts[index] ? [] : [Math.sign(count - (counts[index] ?? 0))]));

function someCase() {
  const min = 1 + Math.floor(between(0, 4));
  const limits = { min, max: min + Math.floor(between(0, 20)) };
  const threshold = between(0.1, 10);
  return { limits, threshold, first: Math.floor(between(limits.min, limits.max + 1)) };
}

test(`a load that varies by less than a quarter never starts a replica again that it ended (TORTURE_SEED=${seed})`, () => {
  let moved = 0;
  for (let index = 0; index < CASES; index++) {
    const { limits, threshold, first } = someCase();
    const low = between(0, threshold * limits.max);
    const loads = Array.from({ length: 300 }, () => between(low, 1.24 * low));
    const changes = changesIn(replicasOver(loads, limits, threshold, first));
    moved += changes.length;
    expect(changes).toEqual(changes.toSorted((a, b) => b - a)); // it grows first, if at all
  }
  expect(moved).toBeGreaterThan(0);
});

test('a constant load changes the number in one direction only, and to twice as many at most at a time', () => {
  for (let index = 0; index < CASES; index++) {
    const { limits, threshold, first } = someCase();
    const load = between(0, threshold * limits.max * 1.5);
    const counts = replicasOver(Array<number>(300).fill(load), limits, threshold, first);
    expect(new Set(changesIn(counts)).size).toBeLessThanOrEqual(1);
    expect(counts.every((count, at) => count <= 2 * (counts[at - 1] ?? first))).toBe(true);
    expect(counts.at(-1)).toBeGreaterThanOrEqual(Math.min(limits.max, Math.ceil(load / threshold)));
  }
});

test('whatever the load, the number stays within the limits', () => {
  for (let index = 0; index < CASES; index++) {
    const { limits, threshold } = someCase();
    const loads = Array.from({ length: 200 }, () => (random() < 0.1 ? between(0, 1e6) : between(0, 10)));
    for (const count of replicasOver(loads, limits, threshold)) {
      expect(count).toBeGreaterThanOrEqual(limits.min);
      expect(count).toBeLessThanOrEqual(limits.max);
    }
  }
});

test('more load never means fewer replicas', () => {
  for (let index = 0; index < CASES; index++) {
    const { limits, threshold, first } = someCase();
    const loads = Array.from({ length: 150 }, () => between(0, threshold * limits.max));
    const less = replicasOver(loads, limits, threshold, first);
    const more = replicasOver(
      loads.map((load) => load * between(1, 2)),
      limits,
      threshold,
      first,
    );
    expect(more.every((count, at) => count >= (less[at] ?? 0))).toBe(true);
  }
});

test('it grows within half a minute, and shrinks after five minutes', () => {
  const limits = { min: 1, max: 8 };
  const busy = replicasOver([...Array<number>(10).fill(0), ...Array<number>(6).fill(3)], limits, 1);
  expect(busy.slice(9)).toEqual([1, 1, 2, 3, 3, 3, 3]);
  const calm = replicasOver([...Array<number>(60).fill(3), ...Array<number>(61).fill(0)], limits, 1);
  expect([calm[59], calm[118], calm[119], calm[120]]).toEqual([3, 3, 1, 1]);
});
