import { expect, test } from 'vitest';
import { OwedAnswers } from './late-replies.ts';

test('nothing more is asked for as long as every answer came', () => {
  const owed = new OwedAnswers();
  owed.add(10, 4, 0);
  owed.settle(10, 4);
  expect(owed.extraBytes([10, 11], 4, 100, 1)).toBe(0);
});

test('each request after an unanswered one asks for one byte more', () => {
  const owed = new OwedAnswers();
  const extras = [0, 1, 2].map((nowMs) => {
    const extra = owed.extraBytes([10, 11], 4, 100, nowMs);
    owed.add(11, 4 + extra, nowMs);
    return extra;
  });
  expect(extras).toEqual([0, 1, 2]);
});

test('a length counts against any of those asked, and against no other servo', () => {
  const owed = new OwedAnswers();
  owed.add(10, 4, 0);
  owed.add(11, 5, 0);
  expect([owed.extraBytes([10, 11], 4, 100, 1), owed.extraBytes([12], 4, 100, 1)]).toEqual([2, 0]);
});

test('what did not come within a second is not waited for any more', () => {
  const owed = new OwedAnswers();
  owed.add(10, 4, 0);
  expect([owed.extraBytes([10], 4, 100, 1000), owed.extraBytes([10], 4, 100, 1001)]).toEqual([1, 0]);
});

test('when every length is owed, the one owed longest comes first', () => {
  const owed = new OwedAnswers();
  for (let extra = 0; extra < 8; extra++) owed.add(10, 4 + extra, (extra * 3) % 8); // 3 × 3 % 8 = 1, and so on
  owed.add(10, 4, 9);
  expect(owed.extraBytes([10], 4, 100, 10)).toBe(3);
});

test('there may not be as many bytes before the register as are wanted', () => {
  const owed = new OwedAnswers();
  owed.add(10, 1, 5);
  owed.add(10, 2, 4);
  owed.add(10, 3, 3);
  expect(owed.extraBytes([10], 1, 1, 6)).toBe(1);
});
