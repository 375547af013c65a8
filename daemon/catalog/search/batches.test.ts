import { expect, test } from 'vitest';
import { randomNumbers } from '../../robot/simulation/random-numbers.ts';
import { inBatches, scanInBatches, sortInBatches } from './batches.ts';

test('the event loop runs other work between batches', async () => {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  let seen = 0;
  await inBatches({ length: 40 }, () => {
    const endMs = performance.now() + 2;
    while (performance.now() < endMs);
    seen += 1;
  });
  clearInterval(timer);
  expect(seen).toBe(40);
  expect(turns).toBeGreaterThan(5);
});

test.each([0, 1, 199, 200, 201, 1_000])('a scan visits %i positions in order', async (count) => {
  const visited: number[] = [];
  await scanInBatches(count, (position) => visited.push(position) > 0);
  expect(visited).toEqual([...Array(count).keys()]);
});

test('a scan stops when a visit returns false, and timers fire during a scan', async () => {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  let visits = 0;
  await scanInBatches(10_000, () => {
    visits += 1;
    const endMs = performance.now() + 0.02;
    while (performance.now() < endMs);
    return visits < 3_000;
  });
  clearInterval(timer);
  expect(visits).toBe(3_000);
  expect(turns).toBeGreaterThan(3);
});

test.each([0, 1, 499, 500, 501, 1_000, 7_654])('%i numbers are sorted like an unbatched stable sort', async (count) => {
  const random = randomNumbers(count + 1);
  const keys = Array.from({ length: count }, () => Math.floor(random() * 100));
  const compare = (a: number, b: number) => (keys[a] ?? 0) - (keys[b] ?? 0);
  expect([...(await sortInBatches(count, compare))]).toEqual([...keys.keys()].sort(compare));
});
