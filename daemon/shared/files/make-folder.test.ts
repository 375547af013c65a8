import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { mayMount, smallDisk } from '../../testing/disks/small-disk.ts';
import { makeFolder } from './make-folder.ts';

test('a folder is made with those above it, for its owner only, and may exist', async () => {
  const root = await mkdtemp(join(tmpdir(), 'folder-'));
  onTestFinished(() => rm(root, { recursive: true }));
  await chmod(root, 0o755);
  for (let turn = 0; turn < 2; turn++) await makeFolder(join(root, 'a', 'b'));
  for (const path of ['a', 'a/b']) expect((await stat(join(root, path))).mode & 0o777).toBe(0o700);
  await writeFile(join(root, 'file'), '');
  await expect(makeFolder(join(root, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
});

const mounts = await mayMount();
if (!mounts) console.warn('SKIPPED: a read-only disk, because no disk may be mounted here');

test.skipIf(!mounts)('on a disk that can only be read, that is the reason, however deep the folder is', async () => {
  await using disk = (await smallDisk(1)) as NonNullable<Awaited<ReturnType<typeof smallDisk>>>;
  const makeWritable = await disk.makeReadOnly();
  for (const path of ['a', 'a/b/c']) {
    await expect(makeFolder(join(disk.dataDir, path))).rejects.toMatchObject({ code: 'data-folder-read-only' });
  }
  await makeWritable();
  await makeFolder(join(disk.dataDir, 'a/b/c'));
});
