import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { settlesWithin } from './settles-within.ts';

test('waits for work that settles in time', async () => {
  expect(await settlesWithin(1_000, sleep(1))).toBe(true);
});

test('does not wait for work that takes too long', async () => {
  let over = false;
  const work = sleep(100).then(() => {
    over = true;
  });
  expect(await settlesWithin(10, work)).toBe(false);
  expect(over).toBe(false);
  await work;
});

test('throws an error in time; a later error is ignored', async () => {
  await expect(settlesWithin(1_000, Promise.reject(new Error('no')))).rejects.toThrow('no');
  const late = sleep(20).then(() => Promise.reject(new Error('late')));
  expect(await settlesWithin(1, late)).toBe(false);
  await expect(late).rejects.toThrow('late');
});
