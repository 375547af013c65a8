import { expect, test } from 'vitest';
import { processorSeconds, secondsOf } from './process-usage.ts';

test('the time that a process has used grows with its work, and an ended one has none', async () => {
  const before = await processorSeconds([process.pid]);
  const used = process.cpuUsage();
  while (process.cpuUsage(used).user < 100_000);
  const after = await processorSeconds([process.pid]);
  expect((after ?? 0) - (before ?? 0)).toBeGreaterThanOrEqual(0.05);
  expect(await processorSeconds([])).toBeNull();
  expect(await processorSeconds([2 ** 22 + 1])).toBeNull();
});

test.each([
  ['0:01.50', 1.5],
  ['12:34', 754],
  ['1:02:03', 3_723],
  ['2-01:00:00', 176_400],
])('%s is %d s', (text, seconds) => {
  expect(secondsOf(text)).toBe(seconds);
});
