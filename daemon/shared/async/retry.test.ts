import { describe, expect, test } from 'vitest';
import { manualClock } from '../../testing/manual-clock.ts';
import { systemClock } from '../clock.ts';
import { type RetryPolicy, retryDelayMs, TransientFailure, withRetries } from './retry.ts';

const policy: RetryPolicy = { retries: 3, retryMs: 1_000, longestRetryMs: 50_000, retriesMs: 60_000 };
const now = Date.parse('2025-01-01T00:00:00Z');
const delay = (retryAfter: string | null, retries = 0, waitedMs = 0) =>
  retryDelayMs(retryAfter, { retries, waitedMs }, policy, now);

describe('how long to wait', () => {
  test.each([
    ['7', 7_000],
    [' 0 ', 0],
    ['Wed, 01 Jan 2025 00:00:20 GMT', 20_000],
    ['Tue, 31 Dec 2024 23:00:00 GMT', 0],
    ['soon', 1_000],
    [null, 1_000],
    ['3600', null],
    ['51', null],
  ])('%j', (retryAfter, expected) => expect(delay(retryAfter)).toBe(expected));
});

test('longer each time, three times, and never more than a minute in all', () => {
  expect([0, 1, 2, 3].map((retries) => delay(null, retries))).toEqual([1_000, 2_000, 4_000, null]);
  expect(delay('30', 1, 30_000)).toBe(30_000);
  expect(delay('31', 1, 30_000)).toBeNull();
});

/** An attempt that fails with each error in turn, then succeeds. */
function failing(...errors: Error[]): { attempt: () => Promise<string>; attempts: () => number } {
  let attempts = 0;
  const attempt = async () => {
    const error = errors[attempts++];
    if (error) throw error;
    return 'done';
  };
  return { attempt, attempts: () => attempts };
}
const never = new AbortController().signal;
const quick: RetryPolicy = { ...policy, retryMs: 1 };
const busy = new Error('busy');
const transient = new TransientFailure(busy, null);

test('an attempt is repeated while its failure is transient', async () => {
  const { attempt, attempts } = failing(transient, transient, transient);
  expect([await withRetries(systemClock, attempt, quick, never), attempts()]).toEqual(['done', 4]);
});

test('the last transient error is thrown as it is; any other error at once', async () => {
  const often = failing(transient, transient, transient, transient);
  await expect(withRetries(systemClock, often.attempt, quick, never)).rejects.toBe(busy);
  expect(often.attempts()).toBe(4);
  const late = failing(new TransientFailure(busy, '3600'));
  await expect(withRetries(systemClock, late.attempt, quick, never)).rejects.toBe(busy);
  const bug = new TypeError('a bug');
  const broken = failing(bug);
  await expect(withRetries(systemClock, broken.attempt, quick, never)).rejects.toBe(bug);
  expect([late.attempts(), broken.attempts()]).toEqual([1, 1]);
});

test('a signal ends the wait with its reason', async () => {
  const clock = manualClock();
  const ending = new AbortController();
  const { attempt, attempts } = failing(transient);
  const slow = { retries: 3, retryMs: 3_600_000, longestRetryMs: 3_600_000, retriesMs: 3_600_000 };
  const done = withRetries(clock, attempt, slow, ending.signal);
  const reason = new Error('enough');
  await clock.advance(20_000);
  ending.abort(reason);
  await expect(done).rejects.toBe(reason);
  expect(attempts()).toBe(1);
});
