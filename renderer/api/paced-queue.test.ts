import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PacedQueue } from './paced-queue.ts';

let nowMs = 0;
beforeEach(() => {
  nowMs = 0;
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

/** Each item takes so long. */
function queueOf(eachMs: number) {
  const handled: number[] = [];
  const queue = new PacedQueue<number>(
    (item) => {
      nowMs += eachMs;
      handled.push(item);
    },
    () => nowMs,
  );
  return { queue, handled };
}

test('an item that comes alone is handled at once', () => {
  const { queue, handled } = queueOf(1);
  queue.push(1);
  expect(handled).toEqual([1]);
  vi.runAllTimers();
  queue.push(2);
  expect(handled).toEqual([1, 2]);
});

test('the others of a task are handled in order in later tasks, 8 ms in each', () => {
  const { queue, handled } = queueOf(2);
  for (let item = 1; item <= 10; item++) queue.push(item);
  expect(handled).toEqual([1]);
  vi.runOnlyPendingTimers();
  expect(handled).toEqual([1, 2, 3, 4, 5]);
  queue.push(11);
  vi.runOnlyPendingTimers();
  expect(handled).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  vi.runAllTimers();
  expect(handled).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect(vi.getTimerCount()).toBe(0);
});

test('an item that takes long is the only one of its task', () => {
  const { queue, handled } = queueOf(50);
  for (let item = 1; item <= 3; item++) queue.push(item);
  vi.runOnlyPendingTimers();
  expect(handled).toEqual([1, 2]);
});

test('nothing that waits is handled after a clear, also one from within', () => {
  const handled: number[] = [];
  const queue: PacedQueue<number> = new PacedQueue((item) => {
    handled.push(item);
    if (item === 3) queue.clear();
  });
  for (let item = 1; item <= 5; item++) queue.push(item);
  vi.runAllTimers();
  expect(handled).toEqual([1, 2, 3]);
  for (let item = 6; item <= 8; item++) queue.push(item);
  queue.clear();
  queue.push(9);
  vi.runAllTimers();
  expect(handled).toEqual([1, 2, 3, 6, 9]);
});

test('an item pushed from within is handled after those that wait', () => {
  const handled: number[] = [];
  const queue: PacedQueue<number> = new PacedQueue((item) => {
    handled.push(item);
    if (item === 2) queue.push(9);
  });
  for (let item = 1; item <= 3; item++) queue.push(item);
  vi.runAllTimers();
  expect(handled).toEqual([1, 2, 3, 9]);
});
