import { expect, test } from 'vitest';
import type { AccessToken } from './access-tokens.ts';
import { DashboardSessions } from './dashboard-sessions.ts';
import { InvalidToken } from './errors.ts';

const token = (id: string, more: Partial<AccessToken> = {}): AccessToken => ({
  id,
  name: `token ${id}`,
  scopes: ['deploy'],
  namespaces: null,
  createdAt: '2026-11-22T10:00:00.000Z',
  ...more,
});

/** Sessions, and tokens whose texts are their ids. */
function sessionsWith(...tokens: AccessToken[]) {
  const known = new Map(tokens.map((one) => [one.id, one]));
  const get = async (id: string) => known.get(id) ?? null;
  return { sessions: new DashboardSessions({ verify: get, get }), known };
}

test('a code opens one session, once', async () => {
  const { sessions } = sessionsWith();
  const code = sessions.newCode();
  const secret = sessions.exchange(code);
  expect(await sessions.callerOf(secret ?? '')).toEqual({
    kind: 'session',
    id: 'dashboard',
    name: 'dashboard',
    scopes: ['deploy'],
    namespaces: null,
  });
  expect(secret).not.toBe(code);
  expect(sessions.exchange(code)).toBeNull();
  expect(await sessions.callerOf(code)).toBeNull();
  expect(sessions.exchange(secret ?? '')).toBeNull();
});

test('codes are random, and the number of unused ones is limited', () => {
  const { sessions } = sessionsWith();
  const codes = Array.from({ length: 9 }, () => sessions.newCode());
  expect(new Set(codes).size).toBe(9);
  expect(codes[0]).toMatch(/^[\w-]{43}$/);
  expect(codes.map((code) => sessions.exchange(code) !== null)).toEqual([false, ...Array(8).fill(true)]);
});

test('a session opened with a token has its permissions until the token is revoked', async () => {
  const { sessions, known } = sessionsWith(token('ann', { namespaces: ['lab'] }), token('bob'));
  const [ann, bob] = [await sessions.openWithToken('ann'), await sessions.openWithToken('bob')];
  expect(await sessions.callerOf(ann)).toMatchObject({ kind: 'session', id: 'ann', namespaces: ['lab'] });
  known.delete('ann');
  expect(await sessions.callerOf(ann)).toBeNull();
  expect(await sessions.callerOf(bob)).toMatchObject({ id: 'bob' });
});

test.each([
  ['that is not known', 'nobody'],
  ['that may not deploy', 'gateway'],
])('no session is opened with a token %s', async (_which, text) => {
  const { sessions } = sessionsWith(token('gateway', { scopes: ['endpoint:lab/chat', 'daemon'] }));
  await expect(sessions.openWithToken(text)).rejects.toThrow(InvalidToken);
});

test('end() ends one session; the others continue', async () => {
  const { sessions } = sessionsWith();
  const [one, other] = [sessions.open(), sessions.open()];
  sessions.end(one);
  sessions.end('nobody');
  expect(await sessions.callerOf(one)).toBeNull();
  expect(await sessions.callerOf(other)).not.toBeNull();
});

test('beyond a hundred sessions the least recently used one ends', async () => {
  const { sessions } = sessionsWith();
  const [window, idle] = [sessions.open(), sessions.open()];
  for (let more = 0; more < 98; more += 1) sessions.open();
  expect(await sessions.callerOf(window)).not.toBeNull();
  sessions.open();
  expect(await sessions.callerOf(window)).not.toBeNull();
  expect(await sessions.callerOf(idle)).toBeNull();
});
