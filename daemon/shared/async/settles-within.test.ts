import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { settlesWithin } from './settles-within.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A wait for work that the test settles, and its outcome. */
function waitFor(limitMs: number) {
  const work = Promise.withResolvers<void>();
  const outcomes: unknown[] = [];
  void settlesWithin(limitMs, work.promise).then(
    (isSettled) => outcomes.push(isSettled),
    (error: unknown) => outcomes.push(error),
  );
  return { work, outcomes };
}

test('waits for work that settles in time', async () => {
  const { work, outcomes } = waitFor(1_000);
  await vi.advanceTimersByTimeAsync(999);
  expect(outcomes).toEqual([]);
  work.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(outcomes).toEqual([true]);
  expect(vi.getTimerCount()).toBe(0);
});

test('does not wait for work that takes too long', async () => {
  const { outcomes } = waitFor(1_000);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(outcomes).toEqual([false]);
});

test('throws an error in time; a later error is ignored', async () => {
  await expect(settlesWithin(1_000, Promise.reject(new Error('no')))).rejects.toThrow('no');
  const { work, outcomes } = waitFor(1_000);
  await vi.advanceTimersByTimeAsync(1_000);
  work.reject(new Error('late'));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(outcomes).toEqual([false]);
});
