import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPacedLoad } from './paced-load.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp(reply: () => Promise<void> = () => Promise.resolve()) {
  const runs: string[] = [];
  const load = createPacedLoad(300, (key) => {
    runs.push(key);
    return reply();
  });
  return { runs, load };
}

test('a burst of loads runs twice: at once, and after the pause', async () => {
  const { runs, load } = setUp();
  for (let i = 0; i < 20; i++) {
    void load('1');
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(runs).toEqual(['1']);
  await vi.advanceTimersByTimeAsync(200);
  expect(runs).toEqual(['1', '1']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(runs).toEqual(['1', '1']);
  void load('1');
  expect(runs).toEqual(['1', '1', '1']);
});

test('a load under way is not repeated before it has ended', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { runs, load } = setUp(() => promise);
  void load('1');
  const second = load('1');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(runs).toEqual(['1']);
  resolve();
  await vi.advanceTimersByTimeAsync(300);
  await expect(second).resolves.toBeUndefined();
  expect(runs).toEqual(['1', '1']);
});

test('another key is loaded at once, and replaces the planned load', async () => {
  const { runs, load } = setUp();
  void load('1');
  void load('1');
  void load('2');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(runs).toEqual(['1', '2']);
});
