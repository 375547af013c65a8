import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, expect, test } from 'vitest';
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
  const word = { pid: process.pid, startTime, options: { port: 0 }, desktop: null };
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
