/** Every row of the access table, both ways. */
import { expect, test } from 'vitest';
import type { Caller } from '../../access/caller.ts';
import { type AccessQuestion, accessVerdict, type Verdict } from './endpoint-access.ts';

const caller = (id: string, scopes: readonly string[], namespaces: readonly string[] | null = null): Caller => ({
  ...{ kind: 'token', id, name: id, scopes, namespaces },
});
const dashboard: Caller = { ...caller('dashboard', ['deploy']), kind: 'session' };

const callers = {
  nobody: null,
  'its creator': caller('creator', ['deploy']),
  'a session of its creator': { ...caller('creator', ['deploy']), kind: 'session' },
  'its creator, now of another namespace': caller('creator', ['deploy'], ['home']),
  'the dashboard': dashboard,
  'the terminal': { ...caller('terminal', ['deploy']), kind: 'terminal' },
  'a token with the id of the terminal': caller('terminal', ['daemon']),
  'a token with the id of the dashboard': caller('dashboard', ['daemon']),
  'deploy in every namespace': caller('a', ['deploy']),
  'deploy in lab': caller('b', ['deploy'], ['home', 'lab']),
  'deploy in home': caller('c', ['deploy'], ['home']),
  'the scope of the endpoint': caller('d', ['endpoint:lab/chat'], ['home']),
  'the scope of another endpoint': caller('e', ['endpoint:lab/other', 'endpoint:home/chat', 'endpoint:lab/chat2']),
  'the older scope without a namespace': caller('f', ['endpoint:chat']),
  'the scope daemon': caller('g', ['daemon']),
  'a session opened with a token for home': { ...caller('h', ['deploy'], ['home']), kind: 'session' },
} satisfies Record<string, Caller | null>;
type Name = keyof typeof callers;

/** Those that an endpoint of a type allows; all others are refused. */
const authenticated: readonly Name[] = [
  'its creator',
  'a session of its creator',
  'the dashboard',
  'the terminal',
  'deploy in every namespace',
  'deploy in lab',
  'the scope of the endpoint',
];
const owners: readonly Name[] = ['its creator', 'a session of its creator', 'the dashboard', 'the terminal'];

const question = (more: Partial<AccessQuestion>): AccessQuestion => ({
  ...{ type: 'authenticated', namespace: 'lab', name: 'chat', createdById: 'creator' },
  ...{ fromThisMachine: true, addressAllowed: true, caller: null },
  ...more,
});

for (const name of Object.keys(callers) as Name[]) {
  test(`access of ${name}`, () => {
    const verdict = (more: Partial<AccessQuestion>) => accessVerdict(question({ caller: callers[name], ...more }));
    const refused: Verdict = name === 'nobody' ? 'unauthorized' : 'forbidden';
    const privately: Verdict = name === 'nobody' ? 'unauthorized' : 'not-found';
    for (const [fromThisMachine, addressAllowed] of [
      [true, true],
      [true, false],
      [false, true],
    ]) {
      const from = { fromThisMachine: fromThisMachine as boolean, addressAllowed: addressAllowed as boolean };
      expect(verdict({ type: 'public', ...from })).toBe('allowed');
      expect(verdict({ type: 'authenticated', ...from })).toBe(authenticated.includes(name) ? 'allowed' : refused);
    }
    expect(verdict({ type: 'private' })).toBe(owners.includes(name) ? 'allowed' : privately);
    expect(verdict({ type: 'private', addressAllowed: false })).toBe(owners.includes(name) ? 'allowed' : privately);
    const elsewhere = { fromThisMachine: false, addressAllowed: false };
    expect(verdict({ type: 'private', fromThisMachine: false })).toBe('not-found');
    expect(verdict({ type: 'private', ...elsewhere })).toBe('not-found');
    expect(verdict({ type: 'public', ...elsewhere })).toBe('forbidden');
    expect(verdict({ type: 'authenticated', ...elsewhere })).toBe('forbidden');
  });
}

test('access of a run: to its endpoint of any type, from this machine only', () => {
  const run: Caller = { ...caller('run-of-dance', ['endpoint:lab/chat'], []), kind: 'run' };
  const verdict = (more: Partial<AccessQuestion>) => accessVerdict(question({ caller: run, ...more }));
  for (const type of ['public', 'authenticated', 'private'] as const) {
    expect(verdict({ type })).toBe('allowed');
    expect(verdict({ type, addressAllowed: false })).toBe('allowed');
  }
  expect(verdict({ fromThisMachine: false })).toBe('unauthorized');
  expect(verdict({ type: 'private', fromThisMachine: false })).toBe('not-found');
  for (const other of [{ name: 'chat2' }, { name: 'cha' }, { namespace: 'home' }]) {
    expect(verdict(other)).toBe('forbidden');
    expect(verdict({ ...other, type: 'private' })).toBe('not-found');
  }
});
