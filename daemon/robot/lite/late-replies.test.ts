import { expect, test } from 'vitest';
import { LateReplies } from './late-replies.ts';

test('no extra bytes are read while every reply has arrived', () => {
  const late = new LateReplies();
  late.add(10, 4, 0);
  late.settle(10, 4);
  expect(late.extraBytes([10, 11], 4, 100, 1)).toBe(0);
});

test('each request after an unanswered one reads one more byte', () => {
  const late = new LateReplies();
  const extras = [0, 1, 2].map((nowMs) => {
    const extra = late.extraBytes([10, 11], 4, 100, nowMs);
    late.add(11, 4 + extra, nowMs);
    return extra;
  });
  expect(extras).toEqual([0, 1, 2]);
});

test('an expected length counts for all servos of a request, and for no other', () => {
  const late = new LateReplies();
  late.add(10, 4, 0);
  late.add(11, 5, 0);
  expect([late.extraBytes([10, 11], 4, 100, 1), late.extraBytes([12], 4, 100, 1)]).toEqual([2, 0]);
});

test('a reply that did not come within a second is lost', () => {
  const late = new LateReplies();
  late.add(10, 4, 0);
  expect([late.extraBytes([10], 4, 100, 1000), late.extraBytes([10], 4, 100, 1001)]).toEqual([1, 0]);
});

test('when every length is taken, the oldest is reused', () => {
  const late = new LateReplies();
  for (let extra = 0; extra < 8; extra++) late.add(10, 4 + extra, (extra * 3) % 8); // 3 × 3 % 8 = 1, and so on
  late.add(10, 4, 9);
  expect(late.extraBytes([10], 4, 100, 10)).toBe(3);
});

test('the extra bytes are limited by the address of the register', () => {
  const late = new LateReplies();
  late.add(10, 1, 5);
  late.add(10, 2, 4);
  late.add(10, 3, 3);
  expect(late.extraBytes([10], 1, 1, 6)).toBe(1);
});
