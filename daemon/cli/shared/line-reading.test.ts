import { expect, test } from 'vitest';
import { EndpointOutput } from '../../endpoints/replicas/endpoint-output.ts';
import { manualClock } from '../../testing/manual-clock.ts';
import { linesAfter, newestLines } from './line-reading.ts';

function outputOf(lines: number): EndpointOutput {
  const output = new EndpointOutput(
    manualClock(async () => {}),
    () => {},
  );
  for (let line = 1; line <= lines; line++) output.add(`line ${line}`, false);
  return output;
}

test.each([
  [0, 0],
  [3, 3],
  [1_000, 1_000],
  [2_500, 2_500],
  [99_999, 3_000],
])('of 3,000 lines the newest %i are %i', async (most, count) => {
  const output = outputOf(3_000);
  const { lines, before, last } = await newestLines(async (query) => output.page(query), most);
  expect(lines.map(({ number }) => number)).toEqual(Array.from({ length: count }, (_, index) => 3_001 - count + index));
  expect({ before, last }).toEqual({ before: 3_000 - count, last: 3_000 });
});

test('lines that come are followed, through a flood and a restart', async () => {
  let output = outputOf(2);
  let waits = 0;
  const wait = async () => {
    waits += 1;
    if (waits === 2) output.add('line 3', false);
    else if (waits === 3) for (let line = 4; line <= 20_000; line++) output.add(`line ${line}`, false);
    else if (waits === 4) output = outputOf(1);
    else if (waits > 4) throw new Error('enough');
    return true;
  };
  const seen: number[] = [];
  let lostLines = 0;
  const follow = async () => {
    const from = { logId: output.logId, after: output.last };
    for await (const { lines, lost } of linesAfter(async (query) => output.page(query), from, wait)) {
      lostLines += lost;
      seen.push(...lines.map(({ number }) => number));
    }
  };
  await expect(follow()).rejects.toThrow('enough');
  expect(seen[0]).toBe(3);
  expect(seen.slice(-2)).toEqual([20_000, 1]);
  expect(lostLines).toBeGreaterThan(10_000);
  expect(seen.length + lostLines).toBe(20_000 - 2 + 1);
});
