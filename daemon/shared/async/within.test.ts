import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { within } from './within.ts';

test('work that is over in time is waited for', async () => {
  expect(await within(1_000, sleep(1))).toBe(true);
});

test('work that takes too long is left to itself', async () => {
  let over = false;
  const work = sleep(100).then(() => {
    over = true;
  });
  expect(await within(10, work)).toBe(false);
  expect(over).toBe(false);
  await work;
});

test('what the work throws in time is passed on, and what it throws later ends nothing', async () => {
  await expect(within(1_000, Promise.reject(new Error('no')))).rejects.toThrow('no');
  const late = sleep(20).then(() => Promise.reject(new Error('late')));
  expect(await within(1, late)).toBe(false);
  await expect(late).rejects.toThrow('late');
});
