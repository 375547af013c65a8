import fs from 'node:fs';
import {
  chmod,
  type FileHandle,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { mayMount, PAGE, smallDisk } from '../../testing/disks/small-disk.ts';
import { replaceFile } from './atomic-file.ts';
import { DataFolderReadOnly, DiskFull } from './storage-errors.ts';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'atomic-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

test('writes of one file take effect in the order of the calls, and leave no draft', async () => {
  const dir = await folder();
  const path = join(dir, 'file.json');
  await Promise.all(Array.from({ length: 20 }, (_, index) => replaceFile(path, `${index}`)));
  expect(await readFile(path, 'utf8')).toBe('19');
  expect(await readdir(dir)).toEqual(['file.json']);
});

test('a link stays a link, and its target is replaced', async () => {
  const dir = await folder();
  await writeFile(join(dir, 'target'), 'old');
  await symlink(join(dir, 'target'), join(dir, 'link'));
  await replaceFile(join(dir, 'link'), 'new');
  expect(await readFile(join(dir, 'target'), 'utf8')).toBe('new');
});

test('an error that has nothing to do with the disk stays as it is', async () => {
  await expect(replaceFile(join(await folder(), 'nowhere', 'file'), 'x')).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a new file that cannot get its name says why, and leaves no draft', async () => {
  const dir = await folder();
  const renamed = vi.spyOn(fs.promises, 'rename');
  renamed.mockRejectedValueOnce(Object.assign(new Error('EROFS: no rename'), { code: 'EROFS' }));
  onTestFinished(() => {
    renamed.mockRestore();
    syncBuiltinESMExports();
  });
  syncBuiltinESMExports();
  await expect(replaceFile(join(dir, 'file'), 'x')).rejects.toThrow(new DataFolderReadOnly(dir, { isDisk: true }));
  expect(await readdir(dir)).toEqual([]);
});

test('a file is created, of its owner alone, from a text or from bytes', async () => {
  const dir = await folder();
  await replaceFile(join(dir, 'text'), 'ä');
  await replaceFile(join(dir, 'bytes'), new Uint8Array([1, 0, 255]));
  expect(await readFile(join(dir, 'text'), 'utf8')).toBe('ä');
  expect([...(await readFile(join(dir, 'bytes')))]).toEqual([1, 0, 255]);
  await chmod(join(dir, 'text'), 0o644);
  await replaceFile(join(dir, 'text'), 'secret');
  for (const name of ['text', 'bytes']) expect((await stat(join(dir, name))).mode & 0o777).toBe(0o600);
});

test('a folder in the place of the file is kept under another name', async () => {
  const dir = await folder();
  const path = join(dir, 'file.json');
  await mkdir(path);
  await writeFile(join(path, 'mine'), 'mine');
  await replaceFile(path, 'new');
  expect(await readFile(path, 'utf8')).toBe('new');
  const [, aside = ''] = (await readdir(dir)).sort();
  expect(aside).toMatch(/^file\.json\.damaged-\d{8}T\d{9}$/);
  expect(await readFile(join(dir, aside, 'mine'), 'utf8')).toBe('mine');
});

describe('the file system is asked', () => {
  /** Watches a call of every open file. */
  async function watched(dir: string, call: 'sync' | 'chown' | 'writeFile') {
    await using probe = await open(dir);
    const spy = vi.spyOn(Object.getPrototypeOf(probe) as FileHandle, call);
    onTestFinished(() => spy.mockRestore());
    return spy;
  }
  const contentsOf = async (dir: string) =>
    Object.fromEntries(
      await Promise.all(
        (await readdir(dir)).sort().map(async (name) => [name, await readFile(join(dir, name), 'utf8')]),
      ),
    );
  const refusal = (code: string) => Object.assign(new Error(code), { code, syscall: 'fsync' });

  test('to keep the whole new content on the disk before it takes the place of the old one', async () => {
    const dir = await folder();
    const path = join(dir, 'file.json');
    await writeFile(path, 'old');
    const sync = await watched(dir, 'sync');
    const seen: unknown[] = [];
    sync.mockImplementation(async () => void seen.push(await contentsOf(dir)));
    await replaceFile(path, 'new');
    expect(seen).toEqual([{ 'file.json': 'old', [draftIn(seen[0])]: 'new' }]);
    expect(await contentsOf(dir)).toEqual({ 'file.json': 'new' });
    await replaceFile(path, 'newer', {});
    expect(sync).toHaveBeenCalledTimes(2);
    await replaceFile(path, 'newest', { fsync: true });
    expect(sync).toHaveBeenCalledTimes(3);
  });
  const draftIn = (seen: unknown) => Object.keys(seen ?? {}).find((name) => /^file\.json\.\d+$/.test(name)) ?? 'none';

  test('not to do so where the content may be lost with the power', async () => {
    const dir = await folder();
    const sync = await watched(dir, 'sync');
    await replaceFile(join(dir, 'file.json'), 'new', { fsync: false });
    expect(sync).not.toHaveBeenCalled();
    expect(await contentsOf(dir)).toEqual({ 'file.json': 'new' });
  });

  test.each([
    ['ENOSPC', DiskFull],
    ['EDQUOT', DiskFull],
    ['EROFS', DataFolderReadOnly],
    ['EACCES', DataFolderReadOnly],
    ['EIO', Error],
  ])('and refuses with %s: the old content stays, and no draft', async (code, kind) => {
    const dir = await folder();
    const path = join(dir, 'file.json');
    await writeFile(path, 'old');
    for (const call of ['writeFile', 'sync'] as const) {
      const spy = await watched(dir, call);
      const cause = refusal(code);
      spy.mockRejectedValueOnce(cause);
      const error: unknown = await replaceFile(path, 'new').catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(kind);
      if (kind === Error) expect(error).toBe(cause);
      else expect(error).toMatchObject({ folder: dir, cause });
      expect(await contentsOf(dir)).toEqual({ 'file.json': 'old' });
    }
    await replaceFile(path, 'new');
    expect(await contentsOf(dir)).toEqual({ 'file.json': 'new' });
  });

  test('to give a file that root writes back to its owner, and no other', async () => {
    const dir = await folder();
    const path = join(dir, 'file.json');
    const chown = await watched(dir, 'chown');
    chown.mockResolvedValue(undefined);
    const getuid = vi.spyOn(process, 'getuid' as never) as unknown as {
      mockReturnValue(uid: number): void;
      mockRestore(): void;
    };
    onTestFinished(() => getuid.mockRestore());
    getuid.mockReturnValue(0);
    await replaceFile(path, 'new');
    expect(chown).not.toHaveBeenCalled(); // it had no owner yet
    const { uid, gid } = await stat(path);
    getuid.mockReturnValue(1000);
    await replaceFile(path, 'newer');
    expect(chown).not.toHaveBeenCalled();
    getuid.mockReturnValue(0);
    await replaceFile(path, 'newest');
    expect(chown.mock.calls).toEqual([[uid, gid]]);
  });
});

const mounts = await mayMount();
if (!mounts) console.warn('SKIPPED: a full disk, because no disk may be mounted here');

test.skipIf(!mounts)('on a disk that fills, a file of several pages is replaced whole or not at all', async () => {
  await using disk = (await smallDisk(1)) as NonNullable<Awaited<ReturnType<typeof smallDisk>>>;
  const path = join(disk.dataDir, 'file.json');
  const old = 'a'.repeat(3 * PAGE);
  const fresh = 'b'.repeat(3 * PAGE);
  await writeFile(path, old);
  const outcomes: string[] = [];
  for (let pages = 0; pages <= 4; pages++) {
    await disk.fill(pages * PAGE);
    const error: unknown = await replaceFile(path, fresh).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (error) expect(error).toMatchObject({ folder: disk.dataDir, name: DiskFull.name });
    expect(await readFile(path, 'utf8')).toBe(error ? old : fresh);
    expect(await readdir(disk.dataDir)).toEqual(['file.json', 'tools']);
    outcomes.push(error ? 'refused' : 'replaced');
  }
  expect(outcomes).toEqual(['refused', 'refused', 'refused', 'replaced', 'replaced']);
});
