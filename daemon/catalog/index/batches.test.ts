import { expect, test } from 'vitest';
import { randomNumbers } from '../../robot/simulation/random-numbers.ts';
import { inSteps, scanInSteps, sortedInSteps } from './batches.ts';

test('others have their turn while much is done', async () => {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  let seen = 0;
  await inSteps({ length: 40 }, () => {
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
  await scanInSteps(count, (position) => visited.push(position) > 0);
  expect(visited).toEqual([...Array(count).keys()]);
});

test('a scan ends where a visit says so, and timers fire while it goes on', async () => {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  let visits = 0;
  await scanInSteps(10_000, () => {
    visits += 1;
    const endMs = performance.now() + 0.02;
    while (performance.now() < endMs);
    return visits < 3_000;
  });
  clearInterval(timer);
  expect(visits).toBe(3_000);
  expect(turns).toBeGreaterThan(3);
});

test.each([0, 1, 499, 500, 501, 1_000, 7_654])(
  '%i numbers are sorted as at once, equal ones in their order',
  async (count) => {
    const random = randomNumbers(count + 1);
    const keys = Array.from({ length: count }, () => Math.floor(random() * 100));
    const compare = (a: number, b: number) => (keys[a] ?? 0) - (keys[b] ?? 0);
    expect([...(await sortedInSteps(count, compare))]).toEqual([...keys.keys()].sort(compare));
  },
);
