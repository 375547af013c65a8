import { expect, test } from 'vitest';
import { MAX_SESSIONS, SessionReplicas } from './replica-use.ts';

test('the sessions used last are remembered, and no more than that', () => {
  const sessions = new SessionReplicas();
  sessions.opened('first', 'a');
  sessions.opened('second', 'b');
  for (let index = 0; index < MAX_SESSIONS - 2; index++) sessions.opened(`more-${index}`, 'c');
  expect(sessions.of('first')).toBe('a');
  sessions.opened('one too many', 'd');
  expect(['first', 'second', 'one too many', 'never opened'].map((session) => sessions.of(session))).toEqual([
    ...['a', null, 'd', null],
  ]);
});

test('a session that was opened again on another replica belongs to that one', () => {
  const sessions = new SessionReplicas();
  sessions.opened('s', 'a');
  sessions.opened('s', 'b');
  expect(sessions.of('s')).toBe('b');
});
