import { expect, test } from 'vitest';
import { randomNumbers } from '../robot/simulation/random-numbers.ts';
import { inSteps, sortedInSteps } from './in-steps.ts';

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

test.each([0, 1, 499, 500, 501, 1_000, 7_654])(
  '%i numbers are sorted as at once, equal ones in their order',
  async (count) => {
    const random = randomNumbers(count + 1);
    const keys = Array.from({ length: count }, () => Math.floor(random() * 100));
    const compare = (a: number, b: number) => (keys[a] ?? 0) - (keys[b] ?? 0);
    expect([...(await sortedInSteps(count, compare))]).toEqual([...keys.keys()].sort(compare));
  },
);
