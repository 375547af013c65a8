import { rmSync } from 'node:fs';
import { mkdir, mkdtempDisposable, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { carryFiles, savedFiles } from './saved-files.ts';

const { signal } = new AbortController();
const packagesIn = (env: string) => join(env, 'lib', 'python3.12', 'site-packages');

/** An environment whose package `dance` owns some files, and in which there are others. */
async function environment(name: string, owned: readonly string[], others: Readonly<Record<string, string>> = {}) {
  const folder = await mkdtempDisposable(join(tmpdir(), `${name}-`));
  const write = async (path: string, text: string) => {
    const file = join(packagesIn(folder.path), path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  };
  const record = owned.map((path) => `${path.includes(',') ? `"${path}"` : path},sha256=x,1\n`).join('');
  await write('dance-1.dist-info/RECORD', `${record}dance-1.dist-info/RECORD,,\n`);
  for (const path of owned) await write(path, 'of the package');
  for (const [path, text] of Object.entries(others)) await write(path, text);
  return folder;
}
const textOf = (env: string, path: string) => readFile(join(packagesIn(env), path), 'utf8');

test('what an app saved beside its code is what belongs to no package, without what Python and the installer make', async () => {
  await using env = await environment('saved', ['dance/main.py', 'dance/a, b.txt'], {
    'dance/counter.json': '12345',
    'dance/memory/today.txt': '1',
    'dance/__pycache__/main.cpython-312.pyc': '',
    'dance/old.pyc': '',
    'dance-1.dist-info/REQUESTED': '',
    '_virtualenv.py': '',
    '_virtualenv.pth': '',
    'easy-install.pth': '',
    '__editable__.dance-1.pth': '',
    'weights.pth': '1234',
    'key.txt': '123',
  });
  await symlink('/etc/passwd', join(packagesIn(env.path), 'dance', 'link'));
  expect(await savedFiles(env.path)).toEqual([
    { path: 'dance/counter.json', bytes: 5 },
    { path: 'dance/memory/today.txt', bytes: 1 },
    { path: 'key.txt', bytes: 3 },
    { path: 'weights.pth', bytes: 4 },
  ]);
  expect(await savedFiles(join(env.path, 'nothing'))).toEqual([]);
});

// Windows has no such name.
test.skipIf(process.platform === 'win32')('a name with a backslash is one name', async () => {
  await using old = await environment('backslash', ['dance/main.py'], { 'dance\\memory.json': '1' });
  await using next = await environment('next', ['dance/main.py']);
  expect(await savedFiles(old.path)).toEqual([{ path: 'dance\\memory.json', bytes: 1 }]);
  await carryFiles(old.path, next.path, { log: () => {}, signal });
  expect(await textOf(next.path, 'dance\\memory.json')).toBe('1');
});

// Other systems take no name that is not UTF-8, and root reads everything else.
test.skipIf(process.platform !== 'linux')('a folder that cannot be read is named, others are kept', async () => {
  await using old = await environment('unread', ['dance/main.py'], { 'dance/memory/a.txt': '1', 'key.txt': '123' });
  await using next = await environment('next', ['dance/main.py']);
  await mkdir(Buffer.from(`${packagesIn(old.path)}/dance/caf\xe9`, 'latin1'));
  const log: string[] = [];
  await carryFiles(old.path, next.path, { log: (line) => log.push(line), signal });
  expect(log.toSorted()).toEqual([
    'kept dance/memory/a.txt (1 B), which the app saved beside its code',
    'kept key.txt (3 B), which the app saved beside its code',
    'warning: dance/caf\uFFFD/ is not kept: it cannot be read (ENOENT)',
  ]);
  const gone = vi.fn(() => rmSync(join(packagesIn(old.path), 'key.txt')));
  expect(await savedFiles(old.path, gone)).toEqual([{ path: 'dance/memory/a.txt', bytes: 1 }]);
  expect(gone).toHaveBeenCalledOnce(); // not for the file that was removed after its folder was read
});

test('it is copied into the next version with its times, except over what a package there has', async () => {
  await using old = await environment('old', ['dance/main.py'], {
    'dance/counter.json': '7',
    'dance/settings.json': 'mine',
    'dance/store/a.txt': 'a',
    'dance/made.json': 'of the old one',
    'dance/memory': 'a file',
  });
  // The import that was tried in the new one made a file of its own.
  const owned = ['dance/main.py', 'dance/settings.json', 'dance/store', 'dance/memory/today.txt'];
  await using next = await environment('next', owned, { 'dance/made.json': 'by the import' });
  const at = new Date('2026-01-01T00:00:00Z');
  await utimes(join(packagesIn(old.path), 'dance/counter.json'), at, at);
  const log: string[] = [];
  await carryFiles(old.path, next.path, { log: (line) => log.push(line), signal });
  expect(log.toSorted()).toEqual([
    'kept dance/counter.json (1 B), which the app saved beside its code',
    'kept dance/made.json (14 B), which the app saved beside its code',
    'warning: dance/memory (6 B) is not kept: the new version has a folder of that name',
    'warning: dance/settings.json (4 B) is not kept: the new version has a file of that name',
    'warning: dance/store/a.txt (1 B) is not kept: the new version has a file in the place of its folder',
  ]);
  expect(await textOf(next.path, 'dance/counter.json')).toBe('7');
  expect(await textOf(next.path, 'dance/made.json')).toBe('of the old one');
  expect(await textOf(next.path, 'dance/settings.json')).toBe('of the package');
  expect((await stat(join(packagesIn(next.path), 'dance/counter.json'))).mtime).toEqual(at);
  expect(await textOf(old.path, 'dance/counter.json')).toBe('7'); // a rollback finds it as it was
});

test('where the disk ignores case, the file of a package stays also with its name in another case', async () => {
  await using old = await environment('case', ['dance/main.py'], { 'dance/Config.json': 'mine' });
  await using next = await environment('next', ['dance/config.json']);
  // Looks like such a disk; on one, the name is taken already.
  await symlink('site-packages', packagesIn(next.path).replace('site-packages', 'SITE-PACKAGES')).catch(() => {});
  const log: string[] = [];
  await carryFiles(old.path, next.path, { log: (line) => log.push(line), signal });
  expect(log).toEqual(['warning: dance/Config.json (4 B) is not kept: the new version has a file of that name']);
});

test('a file that the app removes meanwhile does not fail the update', async () => {
  await using old = await environment('removed', ['dance/main.py'], { 'dance/a.tmp': '1', 'dance/b.txt': '12' });
  await using next = await environment('next', ['dance/main.py']);
  // Asked before each copy.
  const signal = { throwIfAborted: () => rmSync(join(packagesIn(old.path), 'dance/a.tmp'), { force: true }) };
  const log: string[] = [];
  await carryFiles(old.path, next.path, { log: (line) => log.push(line), signal: signal as AbortSignal });
  expect(log.toSorted()).toEqual([
    'kept dance/b.txt (2 B), which the app saved beside its code',
    'warning: dance/a.tmp (1 B) is not kept: it cannot be read (ENOENT)',
  ]);
});

test('a log of many files is short, and begins with those that are not kept', async () => {
  const named = (count: number, prefix: string) =>
    Array.from({ length: count }, (_, index) => `dance/${prefix}${index}`);
  const taken = named(22, 'taken-');
  const others = Object.fromEntries([...named(30, ''), ...taken].map((path) => [path, '12']));
  await using old = await environment('many', [], others);
  await using next = await environment('none', taken);
  const log: string[] = [];
  await carryFiles(old.path, next.path, { log: (line) => log.push(line), signal });
  const kinds = log.map((line) => (/more/.test(line) ? line : line.split(' ')[0]));
  expect(kinds).toEqual([
    ...Array(20).fill('warning:'),
    'warning: and 2 more like these, 4 B in all',
    ...Array(20).fill('kept'),
    'and 10 more like these, 20 B in all',
  ]);
  expect(await readdir(join(packagesIn(next.path), 'dance'))).toHaveLength(52);
});
