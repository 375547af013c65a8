import { expect, test } from 'vitest';
import { mayDeploy, sessionOf } from './caller.ts';
import { RunTokens } from './run-tokens.ts';

const chat = { namespace: 'lab', name: 'chat' };
const runUntil = (ended: AbortSignal, mayWakePaid = false, pagePort: () => number | null = () => null) => ({
  ...{ ended, mayWakePaid, pagePort },
});

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

test('the own page of a run belongs to the endpoints of its tokens, on this machine, until the run has ended', () => {
  const tokens = new RunTokens();
  const run = new AbortController();
  let port: number | null = 8042;
  tokens.issue(
    'dance',
    chat,
    runUntil(run.signal, false, () => port),
  );
  tokens.issue('wave', chat, runUntil(new AbortController().signal));
  expect(tokens.pages(chat)).toEqual(['http://localhost:8042', 'http://127.0.0.1:8042']);
  expect(tokens.pages({ ...chat, name: 'chat2' })).toEqual([]);
  port = 80;
  expect(tokens.pages(chat)).toEqual(['http://localhost', 'http://127.0.0.1']);
  port = null;
  expect(tokens.pages(chat)).toEqual([]);
  port = 8042;
  run.abort();
  expect(tokens.pages(chat)).toEqual([]);
});
