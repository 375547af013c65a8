import { expect, test } from 'vitest';
import { restartDelayMs } from './restart-policy.ts';

test('the first restart is at once, the next ones wait, and the fourth exit in five minutes is the last', () => {
  const exitsMs = [0, 1_000, 2_000, 3_000];
  expect(exitsMs.map((nowMs, index) => restartDelayMs(exitsMs.slice(0, index + 1), nowMs))).toEqual([
    0,
    1_000,
    5_000,
    null,
  ]);
});

test('exits older than five minutes do not count', () => {
  const minute = 60_000;
  expect(restartDelayMs([0, 1, 2, 6 * minute], 6 * minute)).toBe(0);
  expect(restartDelayMs([], minute)).toBe(0);
});
