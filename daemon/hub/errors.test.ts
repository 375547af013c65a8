import { expect, test } from 'vitest';
import { hubErrorOf } from './errors.ts';

const fieldsOf = (status: number, code: string | null, isSignedIn: boolean) =>
  hubErrorOf(
    { status, headers: new Headers(code === null ? {} : { 'X-Error-Code': code }) },
    { what: 'Space a/b', isSignedIn },
  );

test.each<[number, string | null, boolean, string]>([
  [401, 'RepoNotFound', false, 'not-found'],
  [404, 'RepoNotFound', true, 'not-found'],
  [401, null, false, 'not-found'],
  [404, 'EntryNotFound', true, 'not-found'],
  [404, 'RevisionNotFound', true, 'not-found'],
  [401, null, true, 'auth'],
  [403, null, true, 'auth'],
  [401, 'GatedRepo', false, 'auth'],
  [403, 'GatedRepo', true, 'auth'],
  [429, null, true, 'rate-limited'],
  [500, null, false, 'broken'],
  [418, null, false, 'broken'],
])('%i %s, signed in: %s, is %s', (status, code, isSignedIn, kind) => {
  const { message, action, ...found } = fieldsOf(status, code, isSignedIn);
  expect(found.kind).toBe(kind);
  expect([message, action].join(' ')).toMatch(/^[A-Z].*[.]$/);
});

test('only a caller that is not signed in gets the hint that the Space may be private', () => {
  expect(fieldsOf(404, null, false).action).toContain('sign in');
  expect(fieldsOf(404, null, true).action).not.toContain('sign in');
});
