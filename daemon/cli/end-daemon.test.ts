import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { STOP_CAP_MS } from '../lifecycle/daemon-lifecycle.ts';
import { type DataFolderLock, lockDataFolder } from '../shared/data-folder/data-folder-lock.ts';
import { DataFolderUnusable } from '../shared/data-folder/folder-locks.ts';
import { type DataPaths, dataPaths } from '../shared/files/data-paths.ts';
import { startTimeOf } from '../shared/processes/process-identity.ts';
import { withoutWaiting } from '../testing/terminal/in-process.ts';
import { newDataFolder, recordInstance } from '../testing/terminal/scripted-daemon.ts';
import type { Holder } from './shared/holder.ts';
import { DaemonNotEnded, ENDS_WITHIN_MS, endDaemon } from './stop.ts';

/** A process with an id that no process has. Its start time is unknown, so that it counts as alive while the folder is locked. */
async function holderOf(paths: DataPaths, startTime: string | null = null): Promise<Holder> {
  const instance = await recordInstance(paths, { startTime });
  return { instance, daemon: null };
}

/** Ends the holder of a folder. The signals reach nobody; each is noted, with its time. */
async function ended(paths: DataPaths, holder: Holder, onSignal: (signal: string) => void = () => {}) {
  const signals: [signal: string, ms: number][] = [];
  const orphans: [deadlineMs: number, isFolderOurs: boolean][] = [];
  const killOrphans = async (of: DataPaths, deadlineMs: number) => {
    const isFree = await lockDataFolder(of).then(
      (lock) => {
        lock.release();
        return true;
      },
      () => false,
    );
    orphans.push([deadlineMs, !isFree]);
    return { killed: [], gone: true };
  };
  let begin = 0;
  const kill = vi.spyOn(process, 'kill').mockImplementation((pid, signal) => {
    expect(pid).toBe(holder.instance.pid);
    signals.push([String(signal), performance.now() - begin]);
    onSignal(String(signal));
    return true;
  });
  onTestFinished(() => kill.mockRestore());
  const { result, ms } = await withoutWaiting(async () => {
    begin = performance.now();
    return endDaemon(holder, paths, killOrphans).catch((error: unknown) => error);
  });
  return { result, ms, signals, orphans };
}
const isFree = async (paths: DataPaths) => (await lockDataFolder(paths)).release();
const polite = process.platform === 'win32' ? ['SIGTERM'] : ['SIGTERM', 'SIGCONT'];
const politely = polite.map((signal) => [signal, 0]);

test('a daemon that ends in its time is woken and asked to end, and not killed; then its orphans are', async () => {
  const paths = await newDataFolder();
  const lock = await lockDataFolder(paths);
  const begin = (signal: string) => {
    if (signal === 'SIGTERM') setTimeout(() => lock.release(), STOP_CAP_MS);
  };
  const { ms, ...rest } = await ended(paths, await holderOf(paths), begin);
  expect(rest).toEqual({ result: true, signals: politely, orphans: [[2_000, true]] });
  expect(ms).toBeGreaterThanOrEqual(STOP_CAP_MS);
  expect(ms).toBeLessThan(STOP_CAP_MS + 100);
  await isFree(paths);
});

test('a daemon that hangs is killed two seconds after the time that a stop may take', async () => {
  const paths = await newDataFolder();
  const lock = await lockDataFolder(paths);
  const holder = await holderOf(paths);
  const { ms, ...rest } = await ended(paths, holder, (signal) => signal === 'SIGKILL' && lock.release());
  expect(ENDS_WITHIN_MS).toBe(STOP_CAP_MS + 2_000);
  expect(rest).toEqual({
    ...{ result: false, orphans: [[2_000, true]] },
    signals: [...politely, ['SIGKILL', ENDS_WITHIN_MS]],
  });
  expect(ms).toBe(ENDS_WITHIN_MS);
});

test('a process that cannot be killed is reported three seconds later, and its children are left alone', async () => {
  const paths = await newDataFolder();
  const lock = await lockDataFolder(paths);
  onTestFinished(() => lock.release());
  const holder = await holderOf(paths);
  const { result, ms, orphans } = await ended(paths, holder);
  expect(result).toBeInstanceOf(DaemonNotEnded);
  expect((result as Error).message).toBe(
    `Process ${holder.instance.pid} still runs. It may belong to another user: end it as that user.`,
  );
  expect({ ms, orphans }).toEqual({ ms: ENDS_WITHIN_MS + 3_000, orphans: [] });
});

test('a process whose start time is known is watched itself, whoever has the lock', async () => {
  const paths = await newDataFolder();
  const own = await recordInstance(paths, { pid: process.pid, startTime: await startTimeOf(process.pid) });
  const alive = await ended(paths, { instance: own, daemon: null });
  expect(alive.result).toBeInstanceOf(DaemonNotEnded);
  // A later process with its id is another one.
  const gone = await ended(paths, { instance: { ...own, startTime: 'an earlier one' }, daemon: null });
  expect(gone).toEqual({ result: true, ms: 0, signals: politely, orphans: [[2_000, true]] });
});

test('where the next daemon has the folder already, it is left to it', async () => {
  const paths = await newDataFolder();
  const holder = await holderOf(paths, 'of a process that is gone');
  const next: DataFolderLock = await lockDataFolder(paths);
  expect(await ended(paths, holder)).toMatchObject({ result: true, orphans: [] });
  await expect(lockDataFolder(paths)).rejects.toThrow('Another daemon is using the data folder');
  next.release();
});

test('a folder that cannot be locked is an error', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'robot-desktop-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const holder = await holderOf(await newDataFolder(), 'of a process that is gone');
  await writeFile(join(folder, 'data'), '');
  const { result } = await ended(dataPaths(join(folder, 'data')), holder);
  expect(result).toBeInstanceOf(DataFolderUnusable);
});

test('the folder is free again after orphans that could not be ended', async () => {
  const paths = await newDataFolder();
  const holder = await holderOf(paths, 'of a process that is gone');
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  onTestFinished(() => kill.mockRestore());
  const fail = () => Promise.reject(new Error('no right'));
  await expect(endDaemon(holder, paths, fail)).rejects.toThrow('no right');
  await isFree(paths);
});

test('a process that has ended on its own, or belongs to another user, is no error', async () => {
  for (const code of ['ESRCH', 'EPERM']) {
    const paths = await newDataFolder();
    const holder = await holderOf(paths, 'of a process that is gone');
    const refuse = () => {
      throw Object.assign(new Error(code), { code });
    };
    expect(await ended(paths, holder, refuse)).toMatchObject({ result: true });
  }
});
