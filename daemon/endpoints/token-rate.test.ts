import { expect, test } from 'vitest';
import { type Generated, TokenRate } from './token-rate.ts';

const S = 1_000;
const MINUTE = 60 * S;
const generated = (tokens: number, fromS: number, toS: number): Generated => ({
  ...{ tokens, fromMs: fromS * S, toMs: toS * S },
});

/** The speed in the last minute and on average, after answers that have ended. */
function speedOf(answers: readonly Generated[], nowS: number, underWay: readonly Generated[] = []) {
  const rate = new TokenRate();
  for (const answer of answers) rate.add(answer);
  return [rate.lastMinute(nowS * S, underWay), rate.average];
}

test('without tokens, or without a time in which they were generated, the speed is unknown', () => {
  expect(speedOf([], 10)).toEqual([null, null]);
  expect(speedOf([generated(0, 1, 2), generated(5, 3, 3), generated(5, 4, 3)], 10)).toEqual([null, null]);
});

test.each<[string, readonly Generated[], number]>([
  ['one answer', [generated(40, 1, 3)], 20],
  ['the pauses between answers do not count', [generated(40, 1, 3), generated(40, 20, 22)], 20],
  ['nor do those within a second', [generated(4, 1, 1.2), generated(2, 1.5, 1.6), generated(2, 1.8, 1.9)], 20],
  ['of several answers each second counts', [generated(30, 1, 2), generated(10, 5, 7)], 13.33],
  ['answers at the same time add up', [generated(40, 1, 3), generated(40, 1, 3)], 40],
  ['also where they overlap in part', [generated(40, 1, 5), generated(40, 3, 7)], 13.33],
])('%s', (_what, answers, speed) => {
  expect(speedOf(answers, 30)).toEqual([speed, speed]);
});

test('the last minute forgets what is older; the average keeps it', () => {
  const [slow, fast] = [generated(10, 0, 10), generated(100, 50, 60)];
  expect(speedOf([slow, fast], 60)).toEqual([5.74, 5.5]); // the first second has left the minute
  expect(speedOf([slow, fast], 80)).toEqual([10, 5.5]);
  expect(speedOf([slow, fast], 130)).toEqual([null, 5.5]);
  expect(speedOf([slow, generated(100, 1_000, 1_010)], 1_010)).toEqual([10, 5.5]);
});

test('of an answer that took longer than a minute the last one counts, with its share of the tokens', () => {
  expect(speedOf([generated(600, 0, 300)], 300)).toEqual([2, 2]);
  expect(speedOf([generated(600, 0, 300), generated(60, 300, 301)], 301)).toEqual([2.98, 2.95]);
});

test('an answer that is under way counts now; the average waits for its end', () => {
  const rate = new TokenRate();
  rate.add(generated(10, 0, 10));
  const underWay = [generated(90, 12, 15), generated(0, 12, 15)];
  expect(rate.lastMinute(15 * S, underWay)).toBe(7.69);
  expect(rate.lastMinute(15 * S, underWay)).toBe(7.69); // asking counts nothing
  expect(rate.average).toBe(1);
});

test('one that ends late, or after a long time without any, does not confuse the seconds', () => {
  const rate = new TokenRate();
  rate.add(generated(20, 100, 101));
  rate.add(generated(10, 30, 50)); // of it 8 s are in the last minute
  rate.add(generated(10, 20, 41)); // none of it is
  expect(rate.lastMinute(101 * S, [])).toBe(2.67);
  rate.add(generated(40, 100_000, 100_001));
  expect(rate.lastMinute(100_000 * S + MINUTE - 1, [])).toBe(40);
  expect(rate.lastMinute(100_000 * S + MINUTE, [])).toBeNull();
});
