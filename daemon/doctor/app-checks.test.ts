import { expect, test } from 'vitest';
import { appNamed } from '../testing/apps/some-apps.ts';
import { type AppHealth, findingsOfApp } from './app-checks.ts';
import type { AppFolder } from './inventory.ts';

const dance = { app: appNamed('dance'), env: 'aa' };
const before = { app: appNamed('dance', { version: '0.9' }), env: 'bb' };
const kept = { pinned: false, onTrial: false, rolledBack: null };
const folder = (previous: typeof before | null): AppFolder => ({
  key: 'dance',
  dir: '/data/apps/dance',
  pointer: { ...dance, previous, ...kept },
  damage: null,
  envs: ['aa', 'bb'],
  hasContents: false,
});
const ok = { state: 'ok' } as const;
const health = (
  live: AppHealth['live'],
  previous: AppHealth['previous'],
  url: string | null = '/dance',
): AppHealth => ({
  live,
  previous,
  url,
});
const codesAndFixes = (findings: ReturnType<typeof findingsOfApp>) =>
  findings.map(({ code, severity, fix }) => [code, severity, fix.kind]);

test('a healthy app has no findings', () => {
  expect(findingsOfApp(folder(before), health(ok, ok))).toEqual([]);
  expect(findingsOfApp(folder(null), health(ok, null, null))).toEqual([]);
});

test('a broken environment is replaced by a healthy earlier version', () => {
  expect(findingsOfApp(folder(before), health({ state: 'missing' }, ok))).toEqual([
    {
      code: 'environment-missing',
      severity: 'broken',
      what: 'dance cannot be started: its environment is missing.',
      where: '/data/apps/dance/envs/aa',
      fix: { kind: 'use-previous', key: 'dance', appName: 'dance' },
    },
  ]);
});

test('without one, the app is installed again from its source, or by hand if the source is gone', () => {
  const gone = { state: 'no-python' } as const;
  expect(codesAndFixes(findingsOfApp(folder(null), health(gone, null)))).toEqual([
    ['environment-no-python', 'broken', 'install-again'],
  ]);
  expect(codesAndFixes(findingsOfApp(folder(null), health(gone, null, null)))).toEqual([
    ['environment-no-python', 'broken', 'by-hand'],
  ]);
  expect(codesAndFixes(findingsOfApp(folder(before), health(gone, gone)))).toEqual([
    ['environment-no-python', 'broken', 'install-again'],
    ['previous-broken', 'untidy', 'forget-previous'],
  ]);
});

test('a failed import names its reason', () => {
  const [finding] = findingsOfApp(folder(null), health({ state: 'no-import', why: "No module named 'numpy'" }, null));
  expect(finding?.what).toBe("dance cannot be started: it cannot be imported (No module named 'numpy').");
});
