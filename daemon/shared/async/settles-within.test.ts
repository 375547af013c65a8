import { expect, test } from 'vitest';
import { manualClock } from '../../testing/manual-clock.ts';
import { settlesWithin } from './settles-within.ts';

/** A wait for work that the test settles, and its outcome. */
function waitFor(limitMs: number) {
  const clock = manualClock();
  const work = Promise.withResolvers<void>();
  const outcomes: unknown[] = [];
  void settlesWithin(clock, limitMs, work.promise).then(
    (isSettled) => outcomes.push(isSettled),
    (error: unknown) => outcomes.push(error),
  );
  return { clock, work, outcomes };
}

test('waits for work that settles in time', async () => {
  const { clock, work, outcomes } = waitFor(1_000);
  await clock.advance(999);
  expect(outcomes).toEqual([]);
  work.resolve();
  await clock.advance(0);
  expect(outcomes).toEqual([true]);
  expect(clock.pending).toBe(0);
});

test('does not wait for work that takes too long', async () => {
  const { clock, outcomes } = waitFor(1_000);
  await clock.advance(1_000);
  expect(outcomes).toEqual([false]);
});

test('throws an error in time; a later error is ignored', async () => {
  await expect(settlesWithin(manualClock(), 1_000, Promise.reject(new Error('no')))).rejects.toThrow('no');
  const { clock, work, outcomes } = waitFor(1_000);
  await clock.advance(1_000);
  work.reject(new Error('late'));
  await clock.advance(1_000);
  expect(outcomes).toEqual([false]);
});
