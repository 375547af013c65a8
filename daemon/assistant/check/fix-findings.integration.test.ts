import { chmod, lstat, mkdir, readlink, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { filesOf } from '../../testing/apps/folder-files.ts';
import { goodApp } from '../../testing/apps/good-apps.ts';
import { checkDepsForTests, folderWith } from '../../testing/apps/own-app-folders.ts';
import { fixFindings, quickCheck } from './check-own-app.ts';

const deps = checkDepsForTests();
const check = async (folder: string) => (await quickCheck(folder, await deps, new AbortController().signal)).findings;

async function texts(folder: string): Promise<Record<string, string>> {
  return Object.fromEntries(Object.entries(await filesOf(folder)).map(([path, bytes]) => [path, bytes.toString()]));
}

const setuptools = (goodApp['pyproject.toml'] ?? '').replace(
  /requires = .*\nbuild-backend = .*/,
  'requires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"',
);

test('what is fixable is repaired, so that nothing is left to find; a second repair changes nothing', async () => {
  const folder = await folderWith({
    'pyproject.toml': `${setuptools}\n# Everything here\n[tool.setuptools.packages.find]\nwhere = ["."]\n`,
    'README.md': '# My app\n',
    'good_app/main.py': goodApp['good_app/main.py'] ?? '',
    'good_app/static/index.html': '<!doctype html>\n',
    'tests/test_app.py': 'assert True\n',
    '.venv/pyvenv.cfg': 'home = /usr\n',
  });
  const findings = await check(folder);
  expect(findings.map(({ id, fixable }) => `${id} ${fixable}`).sort()).toEqual([
    'no-front-matter true',
    'no-gitignore true',
    'no-init true',
    'no-landing-page true',
    'no-landing-style true',
    'static-not-packaged true',
    'stray-packages true',
  ]);
  expect((await fixFindings(folder, findings)).sort()).toEqual([
    '.gitignore',
    'README.md',
    'good_app/__init__.py',
    'index.html',
    'pyproject.toml',
    'style.css',
  ]);
  expect(await check(folder)).toEqual([]);
  const fixed = await texts(folder);
  expect(fixed['README.md']).toMatch(/\n---\n\n# My app\n$/);
  expect(fixed['pyproject.toml']).toContain('# Everything here\n[tool.setuptools.packages.find]\n');
  expect(await fixFindings(folder, findings)).toEqual([]);
  expect(await texts(folder)).toEqual(fixed);
});

test('a file keeps its mode, its line ends and its byte order mark', async () => {
  const readme = `\uFEFF${(goodApp['README.md'] ?? '').replace('robot_python_app', 'robots').replaceAll('\n', '\r\n')}`;
  const folder = await folderWith({ ...goodApp, 'README.md': readme });
  const file = join(folder, 'README.md');
  await chmod(file, 0o664);
  expect(await fixFindings(folder, await check(folder))).toEqual(['README.md']);
  expect((await stat(file)).mode & 0o777).toBe(0o664);
  expect((await texts(folder))['README.md']).toBe(readme.replace('- robots', '- robots\r\n  - robot_python_app'));
});

test('links, and what they lead to outside the folder, are left alone', async () => {
  const folder = await folderWith({ ...goodApp, 'good_app/__init__.py': '' });
  const outside = join(dirname(folder), 'outside');
  await mkdir(outside);
  await writeFile(join(outside, 'README.md'), '# Outside\n');
  await rename(join(folder, 'README.md'), join(outside, 'old.md'));
  await symlink(join(outside, 'README.md'), join(folder, 'README.md'));
  await symlink(outside, join(folder, 'linked'));
  const finding = { severity: 'warning', message: '', action: null, line: null, fixable: true } as const;
  const changed = await fixFindings(folder, [
    { ...finding, id: 'no-readme', file: null },
    { ...finding, id: 'no-front-matter', file: 'README.md' },
    { ...finding, id: 'no-init', file: 'linked/__init__.py' },
    { ...finding, id: 'no-init', file: '../outside/__init__.py' },
    { ...finding, id: 'no-init', file: '/etc/passwd' },
  ]);
  expect(changed).toEqual([]);
  expect(Object.keys(await texts(outside)).sort()).toEqual(['README.md', 'old.md']);
  expect((await texts(outside))['README.md']).toBe('# Outside\n');
  expect((await lstat(join(folder, 'README.md'))).isSymbolicLink()).toBe(true);
  expect(await readlink(join(folder, 'README.md'))).toBe(join(outside, 'README.md'));
});
