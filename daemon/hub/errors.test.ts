import { expect, test } from 'vitest';
import { hubErrorOf } from './errors.ts';

const fieldsOf = (status: number, code: string | null, isSignedIn: boolean) =>
  hubErrorOf(
    { status, headers: new Headers(code === null ? {} : { 'X-Error-Code': code }) },
    { what: 'Space a/b', type: 'space', isSignedIn },
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

test('a model is called a model', () => {
  const answer = { status: 401, headers: new Headers({ 'X-Error-Code': 'RevisionNotFound' }) };
  const asked = { what: 'model a/b', type: 'model', isSignedIn: false } as const;
  expect(hubErrorOf(answer, asked).message).toBe('Model a/b has no such branch, tag or commit.');
  const { message, action } = hubErrorOf({ status: 404, headers: new Headers() }, asked);
  expect(`${message} ${action}`).toBe(
    'The hub has no model a/b, or it is private. Check the name. For a private model, sign in to the hub first.',
  );
});

test('only a caller that is not signed in gets the hint that the Space may be private', () => {
  expect(fieldsOf(404, null, false).action).toContain('sign in');
  expect(fieldsOf(404, null, true).action).not.toContain('sign in');
});

test.each([
  [403, 'auth', "The hub does not let this account write to Space a/b: It's full."],
  [409, 'conflict', 'Space a/b exists already.'],
  [412, 'conflict', 'Space a/b has changed since it was read.'],
  [400, 'refused', "The hub does not accept what was sent to Space a/b: It's full."],
  [413, 'refused', "The hub does not accept what was sent to Space a/b: It's full."],
])('%i for a change is %s', (status, kind, message) => {
  const answer = { status, headers: new Headers({ 'X-Error-Message': "It's full.." }) };
  const asked = { what: 'Space a/b', type: 'space', isSignedIn: true, writes: true } as const;
  expect(hubErrorOf(answer, asked)).toMatchObject({ kind, message });
});

test.each([
  ['100', 'Try again in 100 seconds.'],
  ['Wed, 21 Oct 2026 07:28:00 GMT', 'Try again in some minutes.'],
  [null, 'Try again in some minutes.'],
])('a busy hub that says Retry-After: %s is to be asked later', (after, action) => {
  const headers = new Headers(after === null ? {} : { 'Retry-After': after });
  expect(hubErrorOf({ status: 429, headers }, { what: 'Space a/b', type: 'space', isSignedIn: true }).action).toBe(
    action,
  );
});
