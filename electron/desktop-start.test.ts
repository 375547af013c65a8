/** The start of the program: its daemon, the port, and a daemon that runs already. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { RunningDaemon } from '../daemon/cli/shared/holder.ts';
import { AddressUnavailable, PortInUse } from '../daemon/http/listen.ts';
import { DataFolderInUse } from '../daemon/shared/data-folder/data-folder-lock.ts';
import { dataPaths } from '../daemon/shared/files/data-paths.ts';
import { desktop, FakeDaemon, only, URL } from './testing/fake-desktop.ts';

const inUse = (dataDir: string) => new DataFolderInUse(dataPaths(dataDir), { pid: 7, url: URL });
const running = (version: string): RunningDaemon => ({ url: URL, status: { version } as RunningDaemon['status'] });

test('a second instance on the data folder ends without a daemon', async () => {
  const { app, host, ports } = await desktop();
  host.app.isOnlyInstance = false;
  await app.run();
  expect(await host.app.exited).toBe(0);
  expect(ports).toEqual([]);
  expect(host.windows).toEqual([]);
});

test('the page has the window signed in, also to a daemon of another process that requires no token', async () => {
  const own = await desktop();
  await own.app.run();
  expect(only(own.host).webContents.opens(`${URL}/sign-in-here`)).toBe(false);
  await vi.waitFor(() => expect(only(own.host).loaded.at(-1)).toBe(`${URL}/sign-in?code=once`));

  const dataDir = await mkdtemp(join(tmpdir(), 'desktop-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const { app, host } = await desktop([new FakeDaemon(() => Promise.reject(inUse(dataDir)))], {
    runningDaemon: async () => running('1.0.0'),
  });
  await app.run();
  expect(only(host).webContents.opens(`${URL}/sign-in-here`)).toBe(false);
  await vi.waitFor(() => expect(only(host).loaded.at(-1)).toMatch(/\/sign-in\?code=[\w-]{43}$/));
});

test('a quit while the daemon still starts opens no window', async () => {
  const started = Promise.withResolvers<void>();
  const daemon = new FakeDaemon(() => started.promise);
  const { app, host } = await desktop([daemon]);
  const ran = app.run();
  await vi.waitFor(() => expect(host.app.listenerCount('before-quit')).toBe(1));
  host.app.quit();
  started.resolve();
  daemon.stopped.resolve(true);
  await ran;
  expect(await host.app.exited).toBe(0);
  expect(host.windows).toEqual([]);
});

test('a quit while a port is asked about starts no other daemon and asks nothing more', async () => {
  const taken = new FakeDaemon(() => Promise.reject(new PortInUse(8000, 'node (process 12)', {})));
  const { app, host, ports } = await desktop([taken, new FakeDaemon()]);
  const answered = Promise.withResolvers<void>();
  host.answered = answered.promise;
  const ran = app.run();
  await vi.waitFor(() => expect(host.questions).toHaveLength(1));
  host.app.quit();
  expect(await host.app.exited).toBe(0);
  answered.resolve();
  await ran;
  expect(ports).toEqual([false]);
  expect(host.windows).toEqual([]);
});

test.each<[what: string, error: Error, found: RunningDaemon | null]>([
  ['a taken port', new PortInUse(8000, 'node (process 12)', {}), null],
  ['a daemon of another version', inUse('/data'), running('0.9.0')],
])('a quit during a start that would ask about %s is not held up', async (_what, error, found) => {
  const started = Promise.withResolvers<void>();
  const daemon = new FakeDaemon(() => started.promise);
  const { app, host } = await desktop([daemon, new FakeDaemon()], { runningDaemon: async () => found });
  const ran = app.run();
  await vi.waitFor(() => expect(host.app.listenerCount('before-quit')).toBe(1));
  host.app.quit();
  started.reject(error);
  await ran;
  expect(host.questions).toEqual([]);
  expect(host.windows).toEqual([]);
  daemon.stopped.resolve(true);
  expect(await host.app.exited).toBe(0);
});

test('a dialog names the process on a taken port, and offers another port', async () => {
  const taken = new FakeDaemon(() => Promise.reject(new PortInUse(8000, 'node (process 12)', {})));
  const { app, host, ports } = await desktop([taken, new FakeDaemon()]);
  await app.run();
  expect(host.questions).toMatchObject([{ message: 'Port 8000 is in use by node (process 12).' }]);
  expect(ports).toEqual([false, true]);
  only(host);
});

test('refusing another port quits', async () => {
  const taken = new FakeDaemon(() => Promise.reject(new PortInUse(8000, 'node (process 12)', {})));
  const { app, host } = await desktop([taken]);
  host.pressed = 1;
  await app.run();
  expect(await host.app.exited).toBe(0);
  expect(host.windows).toEqual([]);
});

test('a daemon that already runs is shown, and outlives the window', async () => {
  const dataDir = '/data';
  const { app, host } = await desktop([new FakeDaemon(() => Promise.reject(inUse(dataDir)))], {
    runningDaemon: async () => running('1.0.0'),
  });
  await app.run();
  expect(only(host).loaded).toEqual([`${URL}/#/`]);
  expect(only(host).cookiesBefore).toEqual([]); // it is not this program's to say who may deploy there
  host.choose('Open in Browser');
  await vi.waitFor(() => expect(host.outside).toEqual([`${URL}/`]));
  expect(host.questions).toEqual([]);
  host.app.quit();
  expect(await host.app.exited).toBe(0);
});

test("the tray follows its own daemon without a connection, and another process's by its events", async () => {
  const own = await desktop();
  await own.app.run();
  const other = await desktop([new FakeDaemon(() => Promise.reject(inUse('/data')))], {
    runningDaemon: async () => running('1.0.0'),
  });
  await other.app.run();
  expect([own.events.opened, other.events.opened]).toEqual([0, 1]);
});

test('the window signs in to a running daemon that requires a token, and so does the browser that it opens', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'desktop-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const { app, host } = await desktop([new FakeDaemon(() => Promise.reject(inUse(dataDir)))], {
    runningDaemon: async () => ({ ...running('1.0.0'), token: 'of the daemon' }),
  });
  await app.run();
  const signIn = expect.stringMatching(/^http:\/\/127\.0\.0\.1:8000\/sign-in\?code=[\w-]{43}$/);
  expect(only(host).loaded).toEqual([signIn]);
  host.choose('Open in Browser');
  await vi.waitFor(() => expect(host.outside).toEqual([signIn]));
  expect(host.outside).not.toEqual(only(host).loaded);
});

test('a dialog reports a running daemon of another version', async () => {
  const { app, host } = await desktop([new FakeDaemon(() => Promise.reject(inUse('/data')))], {
    runningDaemon: async () => running('0.9.0'),
  });
  await app.run();
  expect(host.questions).toMatchObject([{ message: 'Robot Desktop 0.9.0 is already running.' }]);
  only(host);
});

test.each([
  ['a data folder whose daemon does not answer', inUse('/data'), 'process 7'],
  ['an address that cannot be had', new AddressUnavailable('No such address.'), 'No such address.'],
])('%s is shown in a dialog', async (_what, error, text) => {
  const { app, host } = await desktop([new FakeDaemon(() => Promise.reject(error))]);
  await app.run();
  expect(await host.app.exited).toBe(1);
  expect(host.errors).toEqual([expect.stringContaining(text)]);
});

test('a dialog reports a data folder that cannot be created', async () => {
  const { app, host } = await desktop([], { dataDir: '/dev/null/data' });
  await app.run();
  expect(await host.app.exited).toBe(1);
  expect(host.errors).toEqual([expect.stringContaining('The data folder /dev/null/data cannot be used (ENOTDIR).')]);
});
