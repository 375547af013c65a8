import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { InvalidBody } from '../shared/invalid-input.ts';
import { writeAppPackage } from '../testing/apps/app-packages.ts';
import { FileNotInFolder, FolderNotFound } from './errors.ts';
import { existingFolder, fileInFolder, isProgram, ownAppId, readFolderContent } from './own-app-folder.ts';

let top: string;
beforeEach(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), 'own-app-folder-')));
  onTestFinished(() => rm(top, { recursive: true }));
});

test('a link and its folder are the same own app', async () => {
  await mkdir(join(top, 'Öl & Wasser'));
  await symlink('Öl & Wasser', join(top, 'link'));
  const folder = await existingFolder(join(top, 'link'), 'folder');
  expect(folder).toBe(join(top, 'Öl & Wasser'));
  expect(ownAppId(folder)).toMatch(/^[0-9a-f]{16}$/);
});

test.each<[string, string, unknown]>([
  ['a relative path', 'apps/my_app', new InvalidBody('Give the absolute path of a folder.', [])],
  ['a path with a NUL', '/tmp/\0', new InvalidBody('A path cannot contain the character NUL.', [])],
  ['a file', '<top>/file', expect.any(InvalidBody)],
  ['a missing folder', '<top>/nothing', expect.any(FolderNotFound)],
  ['a folder below a file', '<top>/file/more', expect.any(FolderNotFound)],
])('%s is no folder', async (_, path, refusal) => {
  await writeFile(join(top, 'file'), '');
  const refused = await existingFolder(path.replace('<top>', top), 'folder').catch((error: Error) => error);
  if (refusal instanceof InvalidBody) expect(refused).toMatchObject({ message: refusal.message });
  else expect(refused).toEqual(refusal);
});

test('a folder is listed by what it holds, even when that is no app', async () => {
  expect(await readFolderContent(join(top, 'gone'))).toEqual({
    ...{ name: null, title: 'gone', version: null, emoji: '', icon: null, exists: false },
  });
  await mkdir(join(top, 'pyproject.toml'));
  expect(await readFolderContent(top)).toMatchObject({ name: null, version: null, exists: true });
  const folder = await writeAppPackage(join(top, 'hello'), { name: 'hello', version: '1.2.3' });
  expect(await readFolderContent(folder)).toEqual({
    ...{ name: 'hello', title: 'hello', version: '1.2.3', emoji: '🧪', icon: null, exists: true },
  });
});

test('only files inside the folder are found, also behind links', async () => {
  await mkdir(join(top, 'app', 'sub'), { recursive: true });
  await writeFile(join(top, 'app', 'main.py'), '');
  await writeFile(join(top, 'secret'), '');
  await writeFile(join(top, 'app', '..data'), '');
  await symlink('../secret', join(top, 'app', 'out'));
  await symlink('main.py', join(top, 'app', 'in'));
  const app = join(top, 'app');
  expect(await fileInFolder(app, 'in')).toBe(join(app, 'main.py'));
  expect(await fileInFolder(app, 'sub/../main.py')).toBe(join(app, 'main.py'));
  expect(await fileInFolder(app, '..data')).toBe(join(app, '..data'));
  for (const outside of ['out', '../secret', 'nothing', 'main.py/x', '\0', '../app2']) {
    await expect(fileInFolder(app, outside)).rejects.toThrow(FileNotInFolder);
  }
});

test.each<[NodeJS.Platform, string, boolean]>([
  ['win32', 'C:\\app\\main.py', true],
  ['win32', 'C:\\app\\README.md', false],
  ['darwin', '/app/run.command', true],
  ['linux', '/app/main.py', false],
  ['linux', '/app/run.desktop', true],
])('on %s, opening %s runs it: %s', (platform, path, runs) => {
  expect(isProgram(path, platform)).toBe(runs);
});
