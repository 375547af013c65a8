import { expect, test } from 'vitest';
import { inBatches } from './in-batches.ts';

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
