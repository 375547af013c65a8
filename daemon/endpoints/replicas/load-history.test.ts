import { expect, test } from 'vitest';
import { LoadHistory, RequestSeconds } from './load-history.ts';

function historyOf(spans: readonly (readonly [fromS: number, toS: number, load: number])[]): LoadHistory {
  const history = new LoadHistory();
  for (const [fromS, toS, load] of spans) history.add({ fromMs: fromS * 1_000, toMs: toS * 1_000, load });
  return history;
}
const every5S = (count: number, load: (index: number) => number) =>
  Array.from({ length: count }, (_, index) => [5 * index, 5 * index + 5, load(index)] as const);

test('the recent load is the mean of the last 20 s, and the highest that of 5 minutes, once they are known', () => {
  expect([historyOf([]).recent, historyOf(every5S(3, () => 9)).recent]).toEqual([null, null]);
  expect(historyOf(every5S(5, (index) => index)).recent).toBe(2.5); // 1, 2, 3, 4
  expect(historyOf(every5S(59, () => 1)).highest).toBeNull();
  expect(historyOf(every5S(60, (index) => (index === 0 ? 7 : 1))).highest).toBe(7);
  expect(historyOf(every5S(61, (index) => (index === 0 ? 7 : 1))).highest).toBe(1);
});

test('a longer span counts for more', () => {
  const late = [[0, 5, 4] as const, [5, 20, 0] as const];
  expect(historyOf(late).recent).toBe(1);
});

test('once it is cleared, nothing is known', () => {
  const cleared = historyOf(every5S(60, () => 1));
  cleared.clear();
  expect([cleared.recent, cleared.highest]).toEqual([null, null]);
});

test('requests are summed up over the time that they take', () => {
  const seconds = new RequestSeconds(1_000);
  seconds.changed(2, 2_000);
  expect(seconds.read(5_000)).toBe(6);
  seconds.changed(1, 5_000);
  seconds.changed(0, 5_500);
  expect(seconds.read(60_000)).toBe(6.5);
  seconds.changed(3, 60_000);
  expect(seconds.read(50_000)).toBe(6.5); // the clock was set back
});
