import { describe, expect, test } from 'vitest';
import { retryDelayMs, usualPatience } from './retry.ts';

const now = Date.parse('2025-01-01T00:00:00Z');
const delay = (status: number, retryAfter: string | null, retries = 0, waitedMs = 0) =>
  retryDelayMs({ status, retryAfter }, { retries, waitedMs }, usualPatience, now);

describe('how long to wait', () => {
  test.each([
    [429, '7', 7_000],
    [503, ' 0 ', 0],
    [429, 'Wed, 01 Jan 2025 00:00:20 GMT', 20_000],
    [429, 'Tue, 31 Dec 2024 23:00:00 GMT', 0],
    [429, 'soon', 1_000],
    [500, null, 1_000],
    [502, null, 1_000],
    [504, null, 1_000],
    [429, '3600', null],
    [429, '61', null],
    [404, '1', null],
    [401, null, null],
    [501, null, null],
  ])('%i with %j', (status, retryAfter, expected) => expect(delay(status, retryAfter)).toBe(expected));
});

test('longer each time, three times, and never more than a minute in all', () => {
  expect([0, 1, 2, 3].map((retries) => delay(503, null, retries))).toEqual([1_000, 2_000, 4_000, null]);
  expect(delay(429, '30', 1, 30_000)).toBe(30_000);
  expect(delay(429, '31', 1, 30_000)).toBeNull();
});
