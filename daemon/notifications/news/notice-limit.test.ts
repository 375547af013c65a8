import { expect, test } from 'vitest';
import { NoticeLimit } from './delivery-limits.ts';

const start = Date.parse('2026-11-21T14:00:00.000Z');
const at = (minutes: number) => new Date(start + minutes * 60_000);
const ms = (minutes: number) => start + minutes * 60_000;
const sent = { send: true, held: null };

test('the same news are sent once in ten minutes; what was held back is counted in the next', () => {
  const limit = new NoticeLimit();
  expect(limit.offer('failed lab/chat', at(0))).toEqual(sent);
  expect(limit.offer('failed lab/chat', at(2))).toEqual({ send: false, until: ms(10) });
  expect(limit.offer('failed lab/chat', at(9))).toEqual({ send: false, until: ms(10) });
  expect(limit.offer('failed lab/chat', at(10))).toEqual({ send: true, held: { count: 2, since: at(2) } });
  expect(limit.offer('failed lab/chat', at(30))).toEqual(sent);
});

test('other endpoints and other kinds are not held back', () => {
  const limit = new NoticeLimit();
  for (const key of ['failed lab/chat', 'running lab/chat', 'failed lab/other']) {
    expect(limit.offer(key, at(0))).toEqual(sent);
  }
});

test('what is held back can be sent later, and is not counted with itself', () => {
  const limit = new NoticeLimit();
  expect(limit.retry('a', at(0))).toBeNull();
  limit.offer('a', at(0));
  expect(limit.retry('a', at(1))).toBeNull();
  limit.offer('a', at(1));
  limit.offer('a', at(2));
  expect(limit.retry('a', at(5))).toEqual({ send: false, until: ms(10) });
  expect(limit.retry('a', at(10))).toEqual({ send: true, held: { count: 1, since: at(1) } });
  expect(limit.retry('a', at(30))).toBeNull();
  limit.offer('a', at(30));
  limit.offer('a', at(31));
  expect(limit.retry('a', at(40))).toEqual(sent);
});

test('a clock that was set back does not close it for long', () => {
  const limit = new NoticeLimit();
  limit.offer('a', at(100_000));
  expect(limit.offer('a', at(0))).toEqual(sent);
});

test('what is forgotten is no longer counted', () => {
  const limit = new NoticeLimit();
  limit.offer('a', at(0));
  limit.offer('a', at(1));
  limit.forget('a');
  expect(limit.offer('a', at(2))).toEqual(sent);
});

test('keys that are out of date are dropped, those with held news are kept', () => {
  const limit = new NoticeLimit();
  for (let each = 0; each < 1_000; each += 1) limit.offer(`a${each}`, at(0));
  limit.offer('a0', at(1));
  for (let each = 0; each < 1_000; each += 1) limit.offer(`b${each}`, at(20));
  expect(limit.offer('a0', at(21))).toEqual({ send: true, held: { count: 1, since: at(1) } });
});
