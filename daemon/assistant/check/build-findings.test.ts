import { expect, test } from 'vitest';
import type { AppManifest } from '../../contract/apps/apps.ts';
import { DiskFull } from '../../shared/files/storage-errors.ts';
import { CommandFailed } from '../../shared/processes/run-command.ts';
import { buildFailure, installedFindings } from './build-findings.ts';
import { loadFindings } from './load-app.ts';

const failed = (...lines: string[]) => new CommandFailed('uv', 'ended with exit code 1', 1, false, lines);
const summaryOf = (error: unknown) => {
  const { severity, code, file } = buildFailure(error, '/tmp/work', []);
  return `${severity} ${code} ${file ?? '-'}`;
};

test.each<[string, unknown, string]>([
  ['no network', failed('error: dns error: failed to lookup'), 'warning not-built -'],
  ['a full disk', new DiskFull('/tmp/work'), 'warning not-built -'],
  ['a timeout', new CommandFailed('uv', 'did not end within 1800 s', null, true, []), 'warning not-built -'],
  [
    'impossible versions',
    failed('  × No solution found when resolving', '  Because numpy==0.0.1 was not found'),
    'problem dependency-conflict pyproject.toml',
  ],
  ['a broken build', failed('Building', 'BuildRefused: there is no package'), 'problem build-failed pyproject.toml'],
])('%s is about the app, or about this machine', (_name, error, expected) => {
  expect(summaryOf(error)).toBe(expected);
});

test.each([
  ['  cause: Because robot-skd was not found in the package registry and my-app', 'Did you mean robot-sdk?'],
  ['ERROR: No matching distribution found for nosuchpackage-xyz>=1', 'Correct nosuchpackage-xyz, or remove it.'],
])('a requirement that does not exist is named at its line: %s', (line, action) => {
  const dependencies = ['robot-sdk', line.includes('skd') ? 'robot_skd' : 'nosuchpackage-xyz>=1'];
  const found = buildFailure(failed('  × No solution found when resolving', line), '/tmp/work', dependencies);
  expect(found).toMatchObject({ action, key: ['project', 'dependencies', 1] });
  expect(found.message).toMatch(/conflict with each other\. (?:Because|No matching) /);
});

test('the action is that of a check', () => {
  expect(buildFailure(failed('error: dns error: failed to lookup'), '/tmp/work', [])).toEqual({
    severity: 'warning',
    code: 'not-built',
    message: 'The package index cannot be reached, and the app needs packages from it.',
    action: 'Check the connection to the internet, then check again.',
  });
});

test('an error that is no failure of the build is thrown on', () => {
  const bug = new TypeError('a bug');
  expect(() => buildFailure(bug, '/tmp/work', [])).toThrow(bug);
});

test('static files that the build left out are named, and folders that it took', () => {
  const manifest = { module: 'my_app.main' } as AppManifest;
  const paths = ['src/my_app/main.py', 'src/my_app/static/index.html', 'tests/test_app.py'];
  const of = (...installed: string[]) =>
    installedFindings(manifest, installed, { paths }).map(({ code, message }) => `${code}: ${message}`);
  expect(of('my_app/main.py', 'my_app/static/index.html', '../../bin/x')).toEqual([]);
  expect(of('my_app/main.py', 'tests/test_app.py')).toEqual([
    'not-installed: src/my_app/static/index.html is not installed with the app.',
    'also-installed: The install also has tests as packages.',
  ]);
});

test('an error of the import names files from the package, not from the environment', () => {
  const manifest = { name: 'pg', module: 'pg.main', className: 'Pg' } as AppManifest;
  const loaded = {
    ...{ entryPoints: [{ name: 'pg', value: 'pg.main:Pg' }], files: [], problem: null, lines: [], ended: null },
    error: {
      message:
        "ImportError: cannot import name 'x' from 'pg' (/tmp/check-1/lib/python3.11/site-packages/pg/__init__.py)",
      frames: [{ file: '/tmp/check-1/lib/python3.11/site-packages/pg/main.py', line: 3 }],
    },
  };
  expect(loadFindings(manifest, loaded, ['pg/__init__.py', 'pg/main.py'])).toEqual([
    {
      ...{ severity: 'problem', code: 'import-error', file: 'pg/main.py', line: 3 },
      message: "The app cannot be imported: ImportError: cannot import name 'x' from 'pg' (pg/__init__.py).",
    },
  ]);
});
