import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileLockWithin, isFileLocked, takeFileLock } from './file-lock.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'file-lock-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('one holder at a time has the lock', () => {
  const path = join(folder, 'a');
  const lock = takeFileLock(path);
  expect(takeFileLock(path)).toBeNull();
  lock?.release();
  const next = takeFileLock(path);
  expect(next).not.toBeNull();
  next?.release();
});

test('a waiting process gets the lock once it is free, or gives up', async () => {
  const path = join(folder, 'b');
  const lock = takeFileLock(path);
  expect(await fileLockWithin(50, path)).toBeNull();
  const waiting = fileLockWithin(10_000, path);
  lock?.release();
  const got = await waiting;
  expect(got).not.toBeNull();
  got?.release();
});

test.each([
  ['300 random bytes', randomBytes(300)],
  ['one letter', 'a'],
  ['the header of a database only', Buffer.concat([Buffer.from('SQLite format 3\0'), randomBytes(284)])],
  ['pages of nonsense', randomBytes(20_000)],
])('a file of %s is emptied in place and locked', async (_, content) => {
  const path = join(await mkdtemp(join(folder, 'damaged-')), 'lock');
  await writeFile(path, content);
  const { ino } = await stat(path);
  expect(isFileLocked(path)).toBe(false);
  const lock = takeFileLock(path);
  expect([lock === null, takeFileLock(path)]).toEqual([false, null]);
  expect(await stat(path)).toMatchObject({ ino, size: 0 }); // the same file: two processes cannot each lock one
  expect(await readdir(join(path, '..'))).toEqual(['lock']);
  lock?.release();
});

test('content that appears while the lock is held changes nothing', async () => {
  const path = join(folder, 'written');
  const other = new URL('./file-lock.ts', import.meta.url).href;
  const script = `const { takeFileLock } = await import(process.argv[1]); console.log(takeFileLock(process.argv[2]) === null);`;
  const lock = takeFileLock(path);
  // Not by this process, which would lose its lock when it closes the file.
  await execa('sh', ['-c', 'head -c 300 /dev/urandom > "$0"', path]);
  const args = ['--input-type=module', '-e', script, other, path];
  expect((await execa(process.execPath, args)).stdout).toBe('true');
  lock?.release();
});

test.each(['', '-journal', '-wal', '-shm'])('a folder in the place of lock%s is renamed', async (suffix) => {
  const path = join(await mkdtemp(join(folder, 'obstructed-')), 'lock');
  await mkdir(join(`${path}${suffix}`, 'deep'), { recursive: true });
  expect(isFileLocked(path)).toBe(false);
  const lock = takeFileLock(path);
  expect(takeFileLock(path)).toBeNull();
  expect((await readdir(join(path, '..'))).filter((name) => name.startsWith(`lock${suffix}.damaged-`))).toHaveLength(1);
  lock?.release();
});

test.each(['-journal', '-wal', '-shm'])(
  'bytes in the file lock%s do not keep a file with content from being locked',
  async (suffix) => {
    for (const content of [randomBytes(300), Buffer.concat([Buffer.from('SQLite format 3\0'), randomBytes(5_000)])]) {
      const path = join(await mkdtemp(join(folder, 'companion-')), 'lock');
      await writeFile(path, content);
      await writeFile(`${path}${suffix}`, randomBytes(9_000));
      expect(isFileLocked(path)).toBe(false);
      const lock = takeFileLock(path);
      expect(lock).not.toBeNull();
      expect(takeFileLock(path)).toBeNull();
      lock?.release();
    }
  },
);

test('of processes that find a damaged file at the same time, one has the lock', async () => {
  const module = new URL('./file-lock.ts', import.meta.url).href;
  const script = `const { takeFileLock } = await import(process.argv[1]);
    console.log('ready');
    let lock; // kept, since a lock that is collected is released
    process.stdin.once('data', () => console.log((lock = takeFileLock(process.argv[2])) ? 'has it' : 'busy'));`;
  for (const damage of ['folder', 'bytes']) {
    const path = join(folder, `race-${damage}`);
    await (damage === 'folder' ? mkdir(join(path, 'deep'), { recursive: true }) : writeFile(path, randomBytes(300)));
    const several = Array.from({ length: 5 }, () =>
      execa(process.execPath, ['--input-type=module', '-e', script, module, path]),
    );
    await Promise.all(several.map((each) => once(each.stdout, 'data')));
    for (const each of several) each.stdin.write('now\n');
    // They end together, so that none finds the lock of one that has ended.
    const said = (await Promise.all(several.map((each) => once(each.stdout, 'data')))).map(String).sort();
    for (const each of several) each.stdin.end();
    await Promise.all(several);
    expect(said.map((text) => text.trim())).toEqual(['busy', 'busy', 'busy', 'busy', 'has it']);
  }
});

test('what is neither a file nor a folder is refused, and stays', async () => {
  const path = join(folder, 'link');
  await symlink('/dev/null', path);
  expect(() => takeFileLock(path)).toThrow('is not a file');
  expect(isFileLocked(path)).toBe(false);
});

test('a link that leads nowhere is refused by name, and is no lock', async () => {
  const path = join(await mkdtemp(join(folder, 'dangling-')), 'lock');
  await symlink(`${path}-on-another-disk`, path);
  expect(() => takeFileLock(path)).toThrow(`${path} is a link to a file that does not exist`);
  expect(isFileLocked(path)).toBe(false);
  await rm(path);
  await symlink('lock', path); // to itself
  expect(() => takeFileLock(path)).toThrow(`${path} is a link to a file that does not exist`);
  expect(isFileLocked(path)).toBe(false);
});

const asAnother = process.getuid?.() === 0;
if (!asAnother) console.warn('SKIPPED: only root can run a process as another user');
test.skipIf(!asAnother)(
  'a user who may read the file but not write it is refused: such a lock keeps nobody out',
  async () => {
    const path = join(await mkdtemp(join(folder, 'foreign-')), 'lock');
    await writeFile(path, '', { mode: 0o644 });
    await Promise.all([chmod(folder, 0o755), chmod(join(path, '..'), 0o777)]);
    const module = new URL('./file-lock.ts', import.meta.url).href;
    const script = `const { takeFileLock, isFileLocked } = await import(process.argv[1]); process.setuid(65534);
    console.log(isFileLocked(process.argv[2]));
    try { takeFileLock(process.argv[2]); } catch ({ code }) { console.log(code); }`;
    const said = () => execa(process.execPath, ['--input-type=module', '-e', script, module, path]);
    expect((await said()).stdout).toBe('false\nEACCES');
    const lock = takeFileLock(path);
    expect((await said()).stdout).toBe('true\nEACCES');
    lock?.release();
  },
);
