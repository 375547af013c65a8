import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { CheckReport } from '../../contract/apps/own-apps.ts';
import { processesWithEnvironment } from '../../shared/processes/processes.ts';
import { writeAppPackage } from '../../testing/apps/app-packages.ts';
import { filesOf } from '../../testing/apps/folder-files.ts';
import { type AppFiles, goodApp } from '../../testing/apps/good-apps.ts';
import { checkDepsForTests, folderWith } from '../../testing/apps/own-app-folders.ts';
import { buildThatHangs } from '../../testing/apps/survey-apps.ts';
import { newDataDir, projectDir } from '../../testing/daemon/test-daemon.ts';
import type { CheckDeps } from './check-deps.ts';
import { fullCheck } from './check-own-app.ts';
import { exitCodeOf } from './check-report.ts';

let deps: CheckDeps;

/** The checks' own folders are in one that only this test uses. */
async function newTempDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'checks-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

beforeEach(async () => {
  const cacheDir = await newDataDir();
  onTestFinished(() => rm(cacheDir, { recursive: true, force: true }));
  deps = { ...(await checkDepsForTests(cacheDir)), tempDir: await newTempDir() };
});

const progressOf = (
  more: { signal?: AbortSignal; step?: (name: string) => void; log?: (line: string) => void } = {},
) => ({
  signal: new AbortController().signal,
  step: () => {},
  detail: () => {},
  log: () => {},
  ...more,
});

async function check(files: AppFiles): Promise<CheckReport> {
  return fullCheck(await folderWith(files), deps, progressOf());
}

const lines = ({ findings }: CheckReport) =>
  findings.map(({ severity, id, file, line }) => `${severity} ${id} ${file ?? '-'}:${line ?? '-'}`);
const withMain = (edit: (text: string) => string): AppFiles => ({
  ...goodApp,
  'good_app/main.py': edit(goodApp['good_app/main.py'] ?? ''),
});
const atImport = (code: string) =>
  withMain((text) => text.replace('import threading\n', `import threading\n${code}\n`));

test('a good app is built and loaded; neither its folder nor the temporary one has anything new', async () => {
  const folder = await folderWith(goodApp);
  const before = await filesOf(folder);
  const steps: string[] = [];
  const report = await fullCheck(folder, deps, progressOf({ step: (name) => void steps.push(name) }));
  expect(report).toEqual({ checkedAt: expect.any(String), built: true, findings: [] });
  expect(steps).toEqual(['rules', 'build', 'load']);
  expect(await filesOf(folder)).toEqual(before);
  expect(await readdir(folder)).toEqual(['README.md', 'good_app', 'index.html', 'pyproject.toml', 'style.css']);
  expect(await readdir(deps.tempDir)).toEqual([]);
});

test('nothing is built when a rule refuses the app', async () => {
  const report = await check(withMain((text) => text.replace('def run(', 'def runs(')));
  expect([report.built, ...lines(report)]).toEqual([false, 'problem no-run good_app/main.py:8']);
});

describe('what only a load can find is reported at the line of the author', () => {
  test.each<[string, AppFiles, string]>([
    ['a package that is not there', atImport('import nothing_of_that_name'), 'problem import-error good_app/main.py:4'],
    [
      'an error in another module',
      { ...atImport('from good_app import moves'), 'good_app/moves.py': 'import json\n\n\nMOVES = json.loads("{")\n' },
      'problem import-error good_app/moves.py:4',
    ],
    ['an exit', atImport('raise SystemExit("no")'), 'problem import-error good_app/main.py:4'],
    ['the end of the process', atImport('import os; os._exit(3)'), 'problem import-error pyproject.toml:-'],
    [
      'a class that code removes',
      withMain((text) => `${text}\nif __name__ != "__main__":\n    globals().pop("GoodApp")\n`),
      'problem no-class pyproject.toml:-',
    ],
    [
      'a class that code replaces',
      withMain((text) => `${text}\nglobals()["GoodApp"] = print\n`),
      'problem not-robot-app pyproject.toml:-',
    ],
    [
      'a variable that is missing',
      atImport('import os; KEY = os.environ["SOME_API_KEY"]'),
      'warning needs-variable good_app/main.py:4',
    ],
    [
      'files in its own package',
      atImport('from pathlib import Path; Path(__file__).with_name("state.json").write_text("{}")'),
      'warning uninstall-leaves pyproject.toml:-',
    ],
  ])('%s', async (_name, files, finding) => {
    const report = await check(files);
    expect([report.built, ...lines(report)]).toEqual([true, finding]);
    expect(await readdir(deps.tempDir)).toEqual([]);
  });
});

test('a build that fails is reported with its last words', async () => {
  const report = await check({
    ...goodApp,
    'pyproject.toml': (goodApp['pyproject.toml'] ?? '').replace(
      /requires = .*\nbuild-backend = .*/,
      'requires = []\nbuild-backend = "own"\nbackend-path = ["."]',
    ),
    'own.py': 'def build_wheel(*_):\n    raise ValueError("error: the moon is full")\n',
  });
  expect([report.built, exitCodeOf(report), ...lines(report)]).toEqual([
    false,
    1,
    'problem build-failed pyproject.toml:-',
  ]);
  expect(report.findings[0]?.message).toContain('the moon is full');
});

test('without a package index the check says that it could not be done', async () => {
  const nowhere = 'http://127.0.0.1:9/simple';
  const offline = {
    ...deps.childEnvironment(),
    UV_DEFAULT_INDEX: nowhere,
    UV_INDEX_URL: nowhere,
    PIP_INDEX_URL: nowhere,
  };
  deps = { ...deps, childEnvironment: () => offline };
  const pyproject = (goodApp['pyproject.toml'] ?? '').replace(
    '  "robot-sdk",',
    '  "robot-sdk",\n  "a-package-of-the-index",',
  );
  const report = await check({ ...goodApp, 'pyproject.toml': pyproject });
  expect([report.built, exitCodeOf(report), ...lines(report)]).toEqual([false, 3, 'warning not-built -:-']);
});

test('a cancel ends the build, and leaves nothing', async () => {
  const folder = await folderWith({});
  await writeAppPackage(folder, buildThatHangs);
  const cancel = new AbortController();
  const reason = new Error('cancelled');
  const checking = fullCheck(
    folder,
    deps,
    progressOf({ signal: cancel.signal, log: (line) => /Building/.test(line) && cancel.abort(reason) }),
  );
  await expect(checking).rejects.toBe(reason);
  expect(await readdir(deps.tempDir)).toEqual([]);
});

test('what is left of a check that was killed is ended and removed by the next one', async () => {
  const folder = await folderWith({});
  await writeAppPackage(folder, buildThatHangs);
  const address = (path: string) => JSON.stringify(pathToFileURL(join(projectDir, path)).href);
  const program = `
    import { fullCheck } from ${address('daemon/assistant/check/check-own-app.ts')};
    import { createCheckDeps } from ${address('daemon/assistant/check/check-deps.ts')};
    import { systemClock as clock } from ${address('daemon/shared/clock.ts')};
    const [folder, cacheDir, assetsDir, tempDir] = process.argv.slice(1);
    const deps = await createCheckDeps({ assetsDir, cacheDir, environment: process.env, python: null, clock });
    const log = (line) => console.log(line);
    await fullCheck(folder, { ...deps, tempDir }, { signal: new AbortController().signal, step: log, detail: log, log });`;
  const args = [folder, deps.cacheDir, join(projectDir, 'assets'), deps.tempDir];
  const killed = execa(process.execPath, ['--input-type=module', '--eval', program, '--', ...args], {
    reject: false,
    timeout: 60_000,
  });
  for await (const line of killed) if (/Building/.test(line)) killed.kill('SIGKILL');
  await killed;
  const [left = ''] = await readdir(deps.tempDir);
  expect(left).toMatch(/^robot-desktop-check-\d+-/);
  expect(lines(await check(goodApp))).toEqual([]);
  expect(await readdir(deps.tempDir)).toEqual([]);
  expect(await processesWithEnvironment('TMPDIR', join(deps.tempDir, left))).toEqual([]);
});
