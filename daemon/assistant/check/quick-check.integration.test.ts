import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../shared/clock.ts';
import { filesOf } from '../../testing/apps/folder-files.ts';
import { goodApp } from '../../testing/apps/good-apps.ts';
import { checkDepsForTests, folderWith } from '../../testing/apps/own-app-folders.ts';
import { testResources } from '../../testing/daemon/test-daemon.ts';
import { AppFolderMissing } from '../errors.ts';
import { createCheckDeps } from './check-deps.ts';
import { quickCheck } from './check-own-app.ts';

const deps = checkDepsForTests();
const check = async (folder: string) => quickCheck(folder, await deps, new AbortController().signal);

test('without any Python the files are checked, and the report says that the code was not', async () => {
  const folder = await folderWith({ ...goodApp, 'good_app/main.py': '__main__ is no Python here' });
  await rm(join(folder, 'index.html'));
  const without = await createCheckDeps({
    assetsDir: testResources.assetsDir,
    cacheDir: join(folder, 'cache'),
    environment: { PATH: '/nowhere' },
    python: '/nowhere/python3',
    clock: systemClock,
  });
  const { findings } = await quickCheck(folder, without, new AbortController().signal);
  expect(findings).toEqual([
    expect.objectContaining({ id: 'no-landing-page' }),
    expect.objectContaining({
      id: 'code-not-checked',
      severity: 'warning',
      message: expect.stringMatching(
        /^The code was not checked: Apps need Python 3\.10 or newer; python3 could not be run: .+/,
      ),
      action: 'Choose another one with --python.',
    }),
  ]);
});

test('the folder is only read, also by Python', async () => {
  const folder = await folderWith(goodApp);
  const before = await filesOf(folder);
  await chmod(folder, 0o555);
  expect((await check(folder)).findings).toEqual([]);
  await chmod(folder, 0o755);
  expect(await filesOf(folder)).toEqual(before);
});

test('a path that is no folder is refused with a sentence', async () => {
  const folder = await folderWith(goodApp);
  await expect(check(join(folder, 'nothing'))).rejects.toThrow(AppFolderMissing);
  await expect(check(join(folder, 'nothing'))).rejects.toThrow('does not exist, or may not be read. Check the path.');
  await expect(check(join(folder, 'README.md'))).rejects.toThrow('README.md is not a folder. Check the path.');
});

test('a link to the folder, and a path with a slash at its end, are the folder', async () => {
  const folder = await folderWith(goodApp);
  const link = `${folder} linked`;
  await symlink(folder, link);
  expect((await check(`${link}/`)).findings).toEqual([]);
});

test('a folder with thousands of files is read in part, and the report says so', async () => {
  const folder = await folderWith(goodApp);
  await mkdir(join(folder, 'data'));
  await Promise.all(Array.from({ length: 1_500 }, (_, at) => writeFile(join(folder, 'data', `${at}.txt`), '')));
  await mkdir(join(folder, 'data', 'more', 'deeper'), { recursive: true });
  const { findings } = await check(folder);
  expect(findings.map(({ id }) => id)).toEqual(['too-many-files']);
});

test('a check that is cancelled ends with the reason', async () => {
  const reason = new Error('cancelled');
  const folder = await folderWith(goodApp);
  await expect(quickCheck(folder, await deps, AbortSignal.abort(reason))).rejects.toBe(reason);
});

test('sources that crash or confuse the parser are no problem of the check', async () => {
  const deep = `x = ${'('.repeat(5_000)}${')'.repeat(5_000)}\n`;
  const folder = await folderWith({ ...goodApp, 'good_app/deep.py': deep });
  const { findings } = await check(folder);
  expect(findings.filter(({ id }) => id !== 'syntax-error' && id !== 'code-not-checked')).toEqual([]);
  expect(findings.every(({ file }) => file === null || file === 'good_app/deep.py')).toBe(true);
});

test('an app in two faults tells both, each at its place', async () => {
  const folder = await folderWith({
    ...goodApp,
    'pyproject.toml': (goodApp['pyproject.toml'] ?? '').replace('"1.0.0"', '"one"').replace(':GoodApp', ':BadApp'),
    'README.md': '# No front matter\n',
  });
  expect((await check(folder)).findings.map(({ id, line }) => `${id}:${line}`)).toEqual([
    'bad-version:7',
    'no-class:14',
    'no-front-matter:1',
  ]);
});
