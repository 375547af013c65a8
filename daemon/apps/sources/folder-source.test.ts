import { lstat, mkdir, mkdtempDisposable, readFile, readlink, realpath, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { readOwnFiles } from '../../app-package/author/own-files.ts';
import { readPackageOutline } from '../../app-package/package-files.ts';
import { hubFilesOf } from '../../app-package/package-links.ts';
import { copyPackage, folderProblem, packageFolder } from './folder-source.ts';

const BLOB = 'a'.repeat(40);
const { signal } = new AbortController();

/** A folder in which files, given by their paths, and links, by what they say, are. */
async function folderWith(files: Readonly<Record<string, string>>, links: Readonly<Record<string, string>>) {
  const folder = await mkdtempDisposable(join(await realpath(tmpdir()), 'folder-source-'));
  const place = async (path: string) => {
    await mkdir(dirname(join(folder.path, path)), { recursive: true });
    return join(folder.path, path);
  };
  for (const [path, text] of Object.entries(files)) await writeFile(await place(path), text);
  for (const [path, says] of Object.entries(links)) await symlink(says, await place(path));
  return folder;
}

test('a path is looked at: a folder, also through a link, a file, nothing', async () => {
  await using at = await folderWith({ 'dance/pyproject.toml': '' }, { link: 'dance', loop: 'loop' });
  const path = (name: string) => join(at.path, name);
  expect(await folderProblem(path('dance'))).toBeNull();
  expect(await folderProblem(path('link'))).toBeNull();
  expect(await packageFolder(path('link'))).toBe(path('dance'));
  for (const [name, why] of [
    ['dance/pyproject.toml', 'is not a folder.'],
    ['nowhere', 'does not exist, or may not be read.'],
    ['loop', 'does not exist, or may not be read.'],
    ['dance/pyproject.toml/x', 'does not exist, or may not be read.'],
    ['x'.repeat(300), 'does not exist, or may not be read.'],
  ] as const) {
    const message = `${path(name)} ${why}`;
    expect(await folderProblem(path(name))).toBe(message);
    await expect(packageFolder(path(name))).rejects.toMatchObject({ failure: { reason: 'not-found', message } });
  }
  expect(await folderProblem(path('a\u202eb'))).toBe(`${path('a\\u202eb')} does not exist, or may not be read.`);
});

const SNAPSHOT = 'spaces--ada--dance/snapshots/c0ffee';

test('links of a snapshot in the cache of a hub become the files that they lead to', async () => {
  await using hub = await folderWith(
    { [`spaces--ada--dance/blobs/${BLOB}`]: 'text' },
    {
      [`${SNAPSHOT}/pyproject.toml`]: `../../blobs/${BLOB}`,
      [`${SNAPSHOT}/dance/main.py`]: `../../../blobs/${BLOB}`,
      [`${SNAPSHOT}/same.toml`]: 'pyproject.toml',
    },
  );
  const to = join(hub.path, 'copy');
  expect(await copyPackage(join(hub.path, SNAPSHOT), to, signal)).toBe(3);
  for (const path of ['pyproject.toml', 'dance/main.py', 'same.toml']) {
    expect((await lstat(join(to, path))).isFile(), path).toBe(true);
    expect(await readFile(join(to, path), 'utf8')).toBe('text');
  }
  const paths = ['dance/main.py', 'pyproject.toml', 'same.toml'];
  expect(await readPackageOutline(join(hub.path, SNAPSHOT))).toMatchObject({ paths, pyproject: 'text' });
  expect(await readOwnFiles(join(hub.path, SNAPSHOT))).toMatchObject({ paths, linksOutside: [] });
});

test.each([
  ['of another repository', SNAPSHOT, `../../../models--ada--big/blobs/${BLOB}`],
  ['that is no blob', SNAPSHOT, '../../secret'],
  ['outside of a cache', 'own/snapshots/x', `../../blobs/${BLOB}`],
])('a link to a file %s leads out of the folder', async (_, folder, says) => {
  await using hub = await folderWith(
    {
      [`spaces--ada--dance/blobs/${BLOB}`]: '1',
      [`models--ada--big/blobs/${BLOB}`]: '2',
      [`own/blobs/${BLOB}`]: '3',
      'spaces--ada--dance/secret': '4',
    },
    { [`${folder}/a.txt`]: says },
  );
  expect(await hubFilesOf(join(hub.path, folder))('a.txt')).toBeNull();
  await expect(copyPackage(join(hub.path, folder), join(hub.path, 'copy'), signal)).rejects.toMatchObject({
    failure: { reason: 'not-an-app', message: 'a.txt is a link that leads out of the folder.' },
  });
});

test('a folder with links to the files of one repository in the cache is copied like a snapshot', async () => {
  const other = 'b'.repeat(64);
  await using hub = await folderWith(
    { [`spaces--ada--dance/blobs/${BLOB}`]: 'text', [`spaces--ada--dance/blobs/${other}`]: 'more', 'own/main.py': '' },
    {
      'own/pyproject.toml': `../spaces--ada--dance/blobs/${BLOB}`,
      'own/dance/model.bin': '../../spaces--ada--dance/snapshots/c0ffee/model.bin',
      'spaces--ada--dance/snapshots/c0ffee/model.bin': `../../blobs/${other}`,
    },
  );
  const [own, to] = [join(hub.path, 'own'), join(hub.path, 'copy')];
  expect(await copyPackage(own, to, signal)).toBe(3);
  expect(await readFile(join(to, 'pyproject.toml'), 'utf8')).toBe('text');
  expect(await readFile(join(to, 'dance/model.bin'), 'utf8')).toBe('more');
  const paths = ['dance/model.bin', 'main.py', 'pyproject.toml'];
  expect(await readPackageOutline(own)).toMatchObject({ paths, pyproject: 'text' });
  expect(await readOwnFiles(own)).toMatchObject({ paths, linksOutside: [] });
});

test('a folder with links to the files of two repositories is refused', async () => {
  await using hub = await folderWith(
    { [`spaces--ada--dance/blobs/${BLOB}`]: '1', [`models--ada--big/blobs/${BLOB}`]: '2' },
    {
      'own/a.txt': `../spaces--ada--dance/blobs/${BLOB}`,
      'own/b.txt': `../models--ada--big/blobs/${BLOB}`,
    },
  );
  await expect(copyPackage(join(hub.path, 'own'), join(hub.path, 'copy'), signal)).rejects.toMatchObject({
    failure: { message: expect.stringMatching(/^[ab]\.txt is a link that leads out of the folder\.$/) },
  });
});

test('a link inside the folder stays a link', async () => {
  await using own = await folderWith({ 'app/a.txt': '1' }, { 'app/b.txt': 'a.txt' });
  await copyPackage(join(own.path, 'app'), join(own.path, 'copy'), signal);
  expect(await readlink(join(own.path, 'copy', 'b.txt'))).toBe('a.txt');
});
