import { expect, test } from 'vitest';
import { mayDeploy, sessionOf } from './caller.ts';
import { RunTokens } from './run-tokens.ts';

const chat = { namespace: 'lab', name: 'chat' };
const runUntil = (ended: AbortSignal, mayWakePaid = false) => ({ ended, mayWakePaid });

test('a token is valid for one endpoint until its run has ended', () => {
  const tokens = new RunTokens();
  const run = new AbortController();
  const other = new AbortController();
  const text = tokens.issue('dance', chat, runUntil(run.signal));
  const otherText = tokens.issue('wave', chat, runUntil(other.signal, true));
  expect(text).toMatch(/^rd_run_[\w-]{43}$/);
  expect(otherText).not.toBe(text);
  const caller = tokens.verify(text);
  expect(caller).toMatchObject({ kind: 'run', name: 'dance', scopes: ['endpoint:lab/chat'], mayWakePaid: false });
  expect(caller?.namespaces).toEqual([]);
  expect(caller && mayDeploy(caller)).toBe(false);
  expect(sessionOf(caller)).toMatchObject({ signedIn: false, namespaces: [] });
  expect(tokens.verify(`${text}x`)).toBeNull();
  expect(tokens.verify('')).toBeNull();
  run.abort();
  expect(tokens.verify(text)).toBeNull();
  expect(tokens.verify(otherText)).toMatchObject({ name: 'wave', mayWakePaid: true });
  other.abort();
  expect(tokens.size).toBe(0);
});

test('a run that has already ended gets a token that is never valid', () => {
  const tokens = new RunTokens();
  expect(tokens.verify(tokens.issue('dance', chat, runUntil(AbortSignal.abort())))).toBeNull();
  expect(tokens.size).toBe(0);
});
