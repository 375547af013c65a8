import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { areas } from './areas.ts';
import {
  flakyAgain,
  inputsOf,
  type Ledger,
  type LedgerEntry,
  openAreas,
  readLedger,
  recordRun,
} from './torture-ledger.ts';

const entry = (more: Partial<LedgerEntry> = {}): LedgerEntry => {
  return {
    at: '2026-11-27T03:00:00.000Z',
    inputs: 'a',
    seed: '1',
    passed: 9,
    failed: 0,
    skipped: 0,
    flaky: [],
    ...more,
  };
};

test('an area is open without a run, after a change, and after a run that failed; only its last run counts', () => {
  const ledger: Ledger = {
    run: [entry({ inputs: 'old' })],
    robot: [entry({ failed: 2 })],
    sdk: [entry({ failed: 1 }), entry()],
  };
  expect(openAreas(ledger, { install: 'a', run: 'a', robot: 'a', sdk: 'a' })).toEqual([
    'install has no long run yet.',
    'run has changed since its long run of 2026-11-27.',
    'robot failed in its long run of 2026-11-27.',
  ]);
});

test('an area whose last run skipped more than is expected of it stays open', () => {
  const ledger: Ledger = { doubles: [entry({ skipped: 1 })], run: [entry({ skipped: 1 })] };
  expect(openAreas(ledger, { doubles: 'a', run: 'a' })).toEqual([
    'run skipped more tests than expected in its long run of 2026-11-27: 1, not 0.',
  ]);
});

test('a run is recorded with the failures of quarantined tests', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'ledger-'));
  await mkdir(join(folder.path, 'scripts', 'suites'), { recursive: true });
  recordRun('run', 'a', '1', { passed: 9, failed: 1, skipped: 0, quarantined: 2 }, folder.path);
  expect(readLedger(folder.path)['run']).toMatchObject([{ passed: 9, failed: 3 }]);
});

test('a test is flaky again when two runs say so', () => {
  const ledger: Ledger = {
    run: [entry({ flaky: ['a', 'a'] }), entry({ flaky: ['b'] })],
    sdk: [entry({ flaky: ['b'] })],
  };
  expect(flakyAgain(ledger)).toEqual(['b']);
});

test('a test that was flaky before its area changed is not flaky again', () => {
  const ledger: Ledger = {
    run: [entry({ inputs: 'old', flaky: ['a'] }), entry({ inputs: 'old', flaky: ['a'] }), entry()],
  };
  expect(flakyAgain(ledger)).toEqual([]);
});

test('every area has inputs of its own', () => {
  const inputs = inputsOf();
  expect(Object.keys(inputs)).toEqual(Object.keys(areas));
  expect(new Set(Object.values(inputs)).size).toBe(Object.keys(areas).length);
});

test('the inputs of an area change with its tracked files and with those of no area, not with a version or a text', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'inputs-'));
  const write = async (path: string, content: string) => {
    await mkdir(dirname(join(folder.path, path)), { recursive: true });
    await writeFile(join(folder.path, path), content);
  };
  const packageOf = (version: string) => JSON.stringify({ version, type: 'module' });
  const lockOf = (version: string, zod: string) =>
    JSON.stringify({ version, packages: { '': { version }, zod: { version: zod } } });
  await write('package.json', packageOf('1.0.0'));
  await write('package-lock.json', lockOf('1.0.0', '4.0.0'));
  for (const path of ['vite.config.ts', 'assets/moves/a.json', 'daemon/hub/hub.ts', 'README.md'])
    await write(path, '1');
  await execa('git', ['init', '--quiet'], { cwd: folder.path });
  await execa('git', ['add', '.'], { cwd: folder.path });
  /** The areas whose inputs a change of a file changes. */
  const changedBy = async (path: string, content: string) => {
    const before = inputsOf(folder.path);
    await write(path, content);
    const now = inputsOf(folder.path);
    return Object.keys(areas).filter((area) => now[area] !== before[area]);
  };
  expect(await changedBy('assets/moves/a.json', '2')).toEqual(['robot']);
  expect(await changedBy('daemon/hub/hub.ts', '2')).toEqual(['publish']);
  expect(await changedBy('daemon/hub/untracked.ts', '2')).toEqual([]);
  expect(await changedBy('README.md', '2')).toEqual([]);
  expect(await changedBy('package.json', packageOf('1.1.0'))).toEqual([]);
  expect(await changedBy('package-lock.json', lockOf('1.1.0', '4.0.0'))).toEqual([]);
  expect(await changedBy('vite.config.ts', '2')).toEqual(Object.keys(areas));
  expect(await changedBy('package-lock.json', lockOf('1.1.0', '4.0.1'))).toEqual(Object.keys(areas));
});
