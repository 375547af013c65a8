import { mkdtemp, readdir, readFile, rm, statfs, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { mayMount, smallDisk } from '../../testing/daemon/small-disk.ts';
import { replaceFile } from './atomic-file.ts';
import { DiskFull } from './storage-errors.ts';

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

const mounts = await mayMount();
if (!mounts) console.warn('SKIPPED: a full disk, because no disk may be mounted here');
const PAGE = 4_096;

test.skipIf(!mounts)('on a disk that fills, a file of several pages is replaced whole or not at all', async () => {
  await using disk = (await smallDisk(1)) as NonNullable<Awaited<ReturnType<typeof smallDisk>>>;
  const path = join(disk.dataDir, 'file.json');
  const old = 'a'.repeat(3 * PAGE);
  const fresh = 'b'.repeat(3 * PAGE);
  await writeFile(path, old);
  const filler = join(disk.dir, 'filler');
  const outcomes: string[] = [];
  for (let pages = 0; pages <= 4; pages++) {
    await rm(filler, { force: true });
    const { bavail, bsize } = await statfs(disk.dir);
    await writeFile(filler, Buffer.alloc((bavail - pages) * bsize));
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
