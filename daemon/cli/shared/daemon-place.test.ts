import { expect, onTestFinished, test, vi } from 'vitest';
import { lockDataFolder } from '../../shared/data-folder/data-folder-lock.ts';
import { startTimeOf } from '../../shared/processes/process-identity.ts';
import { newDataFolder, recordInstance } from '../../testing/terminal/scripted-daemon.ts';
import { daemonPlace } from './on-daemon.ts';

test('a command waits five seconds for a daemon on a busy machine, then says that it does not answer', async () => {
  const paths = await newDataFolder();
  const lock = await lockDataFolder(paths);
  onTestFinished(() => lock.release());
  await recordInstance(paths, {
    pid: process.pid,
    startTime: await startTimeOf(process.pid),
    url: 'http://127.0.0.1:9',
  });
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
  onTestFinished(() => timeout.mockRestore());
  await expect(daemonPlace(paths)).rejects.toThrow(
    'The daemon does not answer: it is starting, or the machine is busy.',
  );
  expect(timeout.mock.calls).toEqual([[5_000]]);
});
