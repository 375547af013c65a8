import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, expect, test, vi } from 'vitest';
import { mayMount, type SmallDisk, smallDisk } from '../../testing/disks/small-disk.ts';
import { dataPaths } from '../files/data-paths.ts';
import { startTimeOf } from '../processes/process-identity.ts';
import { DataFolderInUse, instanceIn, lockDataFolder } from './data-folder-lock.ts';

const folders: string[] = [];
async function folder() {
  const path = await mkdtemp(join(tmpdir(), 'lock-'));
  folders.push(path);
  return dataPaths(path);
}
afterEach(() => Promise.all(folders.splice(0).map((path) => rm(path, { recursive: true }))));

test('a second daemon on the same data folder learns which process holds it', async () => {
  const paths = await folder();
  const first = await lockDataFolder(paths, { port: 0 });
  await first.announce('http://127.0.0.1:8000');
  const refusal = await lockDataFolder(paths).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(DataFolderInUse);
  expect((refusal as DataFolderInUse).message).toContain(`process ${process.pid}, at http://127.0.0.1:8000`);
  const startTime = await startTimeOf(process.pid);
  const word = { pid: process.pid, startTime, options: { port: 0 }, desktop: null, isGuardian: false };
  expect(await instanceIn(paths)).toEqual({ ...word, url: 'http://127.0.0.1:8000' });
  first.release();
  (await lockDataFolder(paths)).release();
});

test('a holder that is not a daemon keeps the options of the last daemon', async () => {
  const paths = await folder();
  (await lockDataFolder(paths, { port: 8000, python: null })).release();
  (await lockDataFolder(paths)).release();
  expect((await instanceIn(paths))?.options).toEqual({ port: 8000, python: null });
});

test('a refusal says whether the holder is a guardian, which has the folder for seconds only', async () => {
  const paths = await folder();
  const guardian = await lockDataFolder(paths, null, true);
  const refusal = (await lockDataFolder(paths).catch((error: unknown) => error)) as DataFolderInUse;
  expect(refusal.holder).toMatchObject({ pid: process.pid, isGuardian: true });
  guardian.release();
  (await lockDataFolder(paths)).release();
  expect(await instanceIn(paths)).toMatchObject({ isGuardian: false });
});

test('a link to a folder on a disk that is not connected is named as one', async () => {
  const { root } = await folder();
  await symlink(join(root, 'unplugged'), join(root, 'data'));
  await expect(lockDataFolder(dataPaths(join(root, 'data')))).rejects.toThrow(
    'cannot be used (EEXIST). It is a link, but not to a folder: connect its disk, or choose another with --data-dir.',
  );
});

test('a lock whose holder cannot be recorded is free again', async () => {
  const paths = await folder();
  const dated = vi.spyOn(Date.prototype, 'toISOString').mockImplementation(() => {
    throw new TypeError('bug');
  });
  await mkdir(join(paths.instanceFile, 'deep'), { recursive: true });
  await expect(lockDataFolder(paths)).rejects.toThrow('bug');
  dated.mockRestore();
  (await lockDataFolder(paths)).release();
});

const isPossible = await mayMount();
if (!isPossible) console.warn('SKIPPED: no disk may be mounted here');
test.skipIf(!isPossible).each([
  ['does not exist yet', false],
  ['an earlier daemon has used', true],
])('a data folder that %s, on a disk that can only be read, can be locked', async (_, wasUsed) => {
  await using disk = (await smallDisk(1)) as SmallDisk;
  const paths = dataPaths(wasUsed ? disk.dataDir : join(disk.dir, 'a', 'new'));
  if (wasUsed) (await lockDataFolder(paths)).release();
  const makeWritable = await disk.makeReadOnly();
  const lock = await lockDataFolder(paths);
  expect(await lock.announce(null)).toMatchObject({
    code: 'data-folder-read-only',
    message: expect.stringContaining('can only be read'),
  });
  lock.release();
  await makeWritable();
});

test('the lock of a killed process is free at once', async () => {
  const paths = await folder();
  const script = `const { lockDataFolder } = await import(process.argv[1]);
    await lockDataFolder(JSON.parse(process.argv[2])); console.log('held'); setInterval(() => {}, 1000);`;
  const module = new URL('./data-folder-lock.ts', import.meta.url).href;
  const args = ['--input-type=module', '-e', script, module, JSON.stringify(paths)];
  const holder = execa(process.execPath, args, { stderr: 'inherit', reject: false });
  await once(holder.stdout, 'data');
  await expect(lockDataFolder(paths)).rejects.toThrow(`process ${holder.pid}`);
  holder.kill('SIGKILL');
  await holder;
  (await lockDataFolder(paths)).release();
});
