import { expect, test } from 'vitest';
import type { Daemon } from '../daemon/create-daemon.ts';
import { DataFolderInUse } from '../daemon/shared/data-folder/data-folder-lock.ts';
import { dataPaths } from '../daemon/shared/files/data-paths.ts';
import { FakeHost } from './testing/fake-host.ts';
import { WindowDaemon } from './window-daemon.ts';

const url = 'http://127.0.0.1:8000';

/** @param start of the daemon inside the process @param stop whether its stop is in order */
function someWindowDaemon({ start = async () => {}, stop = true }: { start?: () => Promise<void>; stop?: boolean }) {
  const calls: string[] = [];
  const daemon = new WindowDaemon({
    host: new FakeHost(),
    version: '1.0.0',
    createDaemon: () => ({ url, start, stop: async () => stop, kill: async () => {} }) as unknown as Daemon,
    runningDaemon: async () => ({ url, status: { version: '1.0.0' } as never }),
    guardian: {
      start: async () => void calls.push('start'),
      endedInOrder: async () => void calls.push('ended in order'),
    },
  });
  return { daemon, calls };
}

test('a guardian is started once its daemon runs, and gets the notice that it has ended in order', async () => {
  const { daemon, calls } = someWindowDaemon({});
  expect(await daemon.start()).toBe(url);
  expect(await daemon.stop()).toBe(true);
  expect(calls).toEqual(['start', 'ended in order']);
});

test('a stop that was not in order is left to the guardian, and so is a kill', async () => {
  const { daemon, calls } = someWindowDaemon({ stop: false });
  await daemon.start();
  expect(await daemon.stop()).toBe(false);
  await daemon.kill();
  expect(calls).toEqual(['start']);
});

test('the daemon of another process has no guardian here', async () => {
  const inUse = new DataFolderInUse(dataPaths('/data'), { pid: 7, url });
  const { daemon, calls } = someWindowDaemon({ start: () => Promise.reject(inUse) });
  expect(await daemon.start()).toBe(url);
  expect(await daemon.stop()).toBe(true);
  expect(calls).toEqual([]);
});

test('the token for its requests is that of the daemon which it shows', async () => {
  const inUse = new DataFolderInUse(dataPaths('/data'), { pid: 7, url });
  const tokenOf = async (start: () => Promise<void>, accessToken: string | null) => {
    const daemon = new WindowDaemon({
      host: new FakeHost(),
      version: '1.0.0',
      createDaemon: () => ({ url, start, accessToken }) as unknown as Daemon,
      runningDaemon: async () => ({ url, status: { version: '1.0.0' } as never, token: 'of the other' }),
      guardian: { start: async () => {}, endedInOrder: async () => {} },
    });
    await daemon.start();
    return daemon.token;
  };
  expect(await tokenOf(async () => {}, 'of its own')).toBe('of its own');
  expect(await tokenOf(async () => {}, null)).toBe(undefined);
  expect(await tokenOf(() => Promise.reject(inUse), null)).toBe('of the other');
});
