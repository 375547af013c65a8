import { expect, test } from 'vitest';
import { accountOf, type Caller, isOwnUser, sessionOf } from './caller.ts';

const caller = (namespaces: Caller['namespaces'], scopes = ['deploy']): Caller => ({
  ...{ kind: 'token', id: 't1', name: 'ci', scopes, namespaces },
});

test('an unknown caller, and a token that may not deploy, is not signed in', () => {
  const stranger = { signedIn: false, namespaces: [], namespace: 'local', isOwnUser: false };
  expect(sessionOf(null)).toEqual(stranger);
  expect(sessionOf(caller(['lab'], ['daemon']))).toEqual(stranger);
});

test('the default namespace is the first one of the caller, or "local" if all are allowed', () => {
  expect(sessionOf(caller(['lab', 'home']))).toEqual({
    ...{ signedIn: true, namespaces: ['lab', 'home'], namespace: 'lab', isOwnUser: false },
  });
  expect(sessionOf(caller(null))).toMatchObject({ namespaces: null, namespace: 'local' });
});

test('as an account, the other namespaces are its organisations', () => {
  expect(accountOf(caller(['lab', 'home']))).toEqual({
    ...{ type: 'user', id: 't1', name: 'lab', fullname: 'ci', orgs: [{ name: 'home' }] },
  });
  expect(accountOf(caller(null))).toMatchObject({ name: 'local', orgs: [] });
});

test("this machine's own user is a command, or a dashboard that was signed in without a token", () => {
  const of = (kind: Caller['kind'], id: string) => isOwnUser({ ...caller(null), kind, id });
  expect([of('terminal', 'terminal'), of('session', 'dashboard')]).toEqual([true, true]);
  expect([of('token', 'dashboard'), of('session', 't1'), of('run', 'dashboard')]).toEqual([false, false, false]);
});
