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

test('the window shows only the dashboard of its own daemon', async () => {
  const { app, host, announced, dataDir } = await desktop();
  await app.run();
  const window = only(host);
  expect(window.loaded).toEqual([`${URL}/#/`]);
  expect(window.options).toMatchObject({
    backgroundColor: '#FAF9F6',
    webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false },
  });
  expect(window.options.webPreferences).not.toHaveProperty('preload');
  expect(announced).toEqual([URL]);
  expect(host.app.paths['userData']).toBe(join(dataDir, 'window'));
});

test('the window is signed in before it loads the page, with a cookie hidden from scripts', async () => {
  const { app, host } = await desktop();
  await app.run();
  expect(only(host).cookiesBefore).toEqual([
    { url: URL, path: '/', name: 'robot-session-8000', value: 'secret', httpOnly: true, sameSite: 'strict' },
  ]);
});

test('a window that cannot be signed in still opens', async () => {
  const { app, host } = await desktop();
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  host.session.defaultSession.cookieFailure = new Error('no cookies today');
  await app.run();
  expect(only(host).cookiesBefore).toEqual([]);
  expect(logged).toHaveBeenCalledWith(expect.stringMatching(/^Error: no cookies today\n {4}at /));
  logged.mockRestore();
});

test("the profile is set before any await: later Electron's own is fixed", async () => {
  const { app, host } = await desktop();
  const ran = app.run();
  expect(host.app.paths['userData']).toBeDefined();
  await ran;
});

test('a second instance on the data folder ends without a daemon', async () => {
  const { app, host, ports } = await desktop();
  host.app.isOnlyInstance = false;
  await app.run();
  expect(await host.app.exited).toBe(0);
  expect(ports).toEqual([]);
  expect(host.windows).toEqual([]);
});

test('when a second instance is started the window comes to the front', async () => {
  const { app, host } = await desktop();
  await app.run();
  const window = only(host);
  window.minimized = true;
  host.app.emit('second-instance', {}, ['/opt/robot-desktop/robot-desktop']);
  expect(window).toMatchObject({ minimized: false, focused: 1 });
});

test('a quit waits until the daemon has ended, and the title says so', async () => {
  const daemon = new FakeDaemon();
  const { app, host } = await desktop([daemon]);
  await app.run();
  let exited = false;
  void host.app.exited.then(() => (exited = true));
  host.app.quit();
  host.app.quit();
  await daemon.stopAsked.promise;
  expect(only(host).title).toContain('stopping the app and folding the robot');
  await new Promise(setImmediate);
  expect(exited).toBe(false);
  daemon.stopped.resolve(true);
  expect(await host.app.exited).toBe(0);
  expect(host.relaunched).toBeNull();
});

test('a forced end of the daemon shows in the exit code', async () => {
  const daemon = new FakeDaemon();
  const { app, host } = await desktop([daemon]);
  await app.run();
  host.app.quit();
  daemon.stopped.resolve(false);
  expect(await host.app.exited).toBe(1);
});

test('a start during a quit opens the app again afterwards', async () => {
  const daemon = new FakeDaemon();
  const { app, host } = await desktop([daemon]);
  await app.run();
  host.app.quit();
  host.app.emit('second-instance', {}, ['/opt/robot-desktop/robot-desktop']);
  daemon.stopped.resolve(true);
  await host.app.exited;
  expect(host.relaunched).toEqual([]);
});

test('a restart, which the daemon or the page asks for, ends the program and starts it again', async () => {
  for (const ask of ['daemon', 'page'] as const) {
    const daemon = new FakeDaemon();
    const { app, host } = await desktop([daemon]);
    await app.run();
    if (ask === 'daemon') app.restart();
    else {
      host.pressed = 0;
      expect(only(host).webContents.opens(`${URL}/open-again`)).toBe(false);
    }
    await daemon.stopAsked.promise;
    daemon.stopped.resolve(true);
    expect(await host.app.exited).toBe(0);
    expect(host.relaunched).toEqual([]);
  }
});

test('the page cannot open the program again without its user', async () => {
  const { app, host } = await desktop();
  await app.run();
  host.pressed = 1;
  expect(only(host).webContents.opens(`${URL}/open-again`)).toBe(false);
  await vi.waitFor(() => expect(host.questions.map(({ message }) => message)).toEqual(['Open Robot Desktop again?']));
  await new Promise(setImmediate);
  expect(only(host).title).not.toContain('stopping');
});

test('the page opens a browser that is signed in', async () => {
  const { app, host } = await desktop();
  await app.run();
  expect(only(host).webContents.opens(`${URL}/open-in-browser`)).toBe(false);
  await vi.waitFor(() => expect(host.outside).toEqual([`${URL}/sign-in?code=once`]));
  expect(only(host).webContents.opens(`${URL}/open-in-browser/other`)).toBe(false);
  expect(host.outside).toHaveLength(1);
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

test('without a tray, closing the window quits, except on a Mac, where it can be opened again', async () => {
  const daemon = new FakeDaemon();
  const linux = await desktop([daemon]);
  await linux.app.run();
  only(linux.host).close();
  await daemon.stopAsked.promise;

  const mac = await desktop([new FakeDaemon()], { platform: 'darwin' });
  await mac.app.run();
  only(mac.host).close();
  mac.host.app.emit('activate');
  expect(mac.host.windows).toHaveLength(2);
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

test('a crashed page is reloaded a limited number of times', async () => {
  const { app, host } = await desktop();
  await app.run();
  const window = only(host);
  const closed = new Promise((resolve) => window.once('closed', resolve));
  for (let crash = 0; crash < 4; crash += 1) {
    window.webContents.emit('render-process-gone');
    await new Promise(setImmediate);
  }
  await closed;
  expect(window.webContents.reloads).toBe(3);
});

test('the menu installs a folder that is chosen in a dialog, after the page has asked', async () => {
  const { app, host } = await desktop();
  await app.run();
  host.choose('Install from a Folder…');
  host.chosenFolder = '/home/ann/my app';
  host.choose('Install from a Folder…');
  await vi.waitFor(() => expect(only(host).loaded.at(-1)).toMatch(/#\/apps\?install=%2Fhome%2Fann%2Fmy\+app$/));
  expect(only(host).loaded).toHaveLength(2);
});

test('the menu and the page ask for a model file in a dialog, and the page gets its path', async () => {
  const { app, host } = await desktop();
  await app.run();
  const { webContents, loaded } = only(host);
  host.choose('Use a Model File…');
  host.chosenFile = '/models/a b.gguf';
  host.choose('Use a Model File…');
  await vi.waitFor(() => expect(loaded.at(-1)).toMatch(/#\/models\?tab=machine&file=%2Fmodels%2Fa\+b\.gguf$/));
  expect(loaded).toHaveLength(2);
  host.chosenFile = '/models/c.gguf';
  expect(webContents.opens(`${URL}/choose-model-file`)).toBe(false);
  await vi.waitFor(() => expect(loaded.at(-1)).toMatch(/file=%2Fmodels%2Fc\.gguf$/));
  expect(webContents.opens(`${URL}/choose-model-file/other`)).toBe(false);
  expect(loaded).toHaveLength(3);
});

test('the page asks for folders in a dialog: for a new app, and of an app to add to the list', async () => {
  const { app, host } = await desktop();
  await app.run();
  const { webContents, loaded } = only(host);
  expect(webContents.opens(`${URL}/choose-own-app`)).toBe(false);
  host.chosenFolder = '/home/ann/my apps';
  expect(webContents.opens(`${URL}/choose-folder-for-new-app`)).toBe(false);
  await vi.waitFor(() => expect(loaded.at(-1)).toMatch(/#\/apps\?tab=create&new=%2Fhome%2Fann%2Fmy\+apps$/));
  expect(loaded).toHaveLength(2);
  expect(webContents.opens(`${URL}/choose-own-app`)).toBe(false);
  await vi.waitFor(() => expect(loaded.at(-1)).toMatch(/#\/apps\?tab=create&add=%2Fhome%2Fann%2Fmy\+apps$/));
  expect(webContents.opens(`${URL}/choose-own-app/other`)).toBe(false);
  expect(loaded).toHaveLength(3);
});

test('the page asks to quit in a dialog, and its user decides', async () => {
  const daemon = new FakeDaemon();
  const { app, host } = await desktop([daemon]);
  await app.run();
  const { webContents } = only(host);
  host.pressed = 1;
  expect(webContents.opens(`${URL}/quit`)).toBe(false);
  await vi.waitFor(() => expect(host.questions.map(({ message }) => message)).toEqual(['Quit Robot Desktop?']));
  await new Promise(setImmediate);
  expect(only(host).title).not.toContain('stopping');
  host.pressed = 0;
  expect(webContents.opens(`${URL}/quit`)).toBe(false);
  await daemon.stopAsked.promise;
  daemon.stopped.resolve(true);
  expect(await host.app.exited).toBe(0);
});

test('the menu begins a new app', async () => {
  const { app, host } = await desktop();
  await app.run();
  host.choose('New App…');
  expect(only(host).loaded.at(-1)).toBe(`${URL}/#/apps?tab=create&new=`);
});

test('the menu opens pages, and the dashboard in a browser that is signed in', async () => {
  const { app, host, dataDir } = await desktop();
  await app.run();
  host.choose('Robot');
  host.choose('Open in Browser');
  host.choose('Show the Data Folder');
  expect(only(host).loaded).toEqual([`${URL}/#/`, `${URL}/#/robot`]);
  await vi.waitFor(() => expect(host.outside).toEqual([dataDir, `${URL}/sign-in?code=once`]));
});

test('the shutdown of the machine is a quit', async () => {
  const daemon = new FakeDaemon();
  const { app, host } = await desktop([daemon]);
  await app.run();
  let waits = false;
  host.powerMonitor.emit('shutdown', {
    preventDefault: () => {
      waits = true;
    },
  });
  expect(waits, 'the system waits').toBe(true);
  await daemon.stopAsked.promise;
  daemon.stopped.resolve(true);
  await host.app.exited;
});

test('the end of a session on Windows is a quit, too', async () => {
  const daemon = new FakeDaemon();
  const { app, host } = await desktop([daemon], { platform: 'win32' });
  await app.run();
  let waits = false;
  only(host).emit('query-session-end', {
    preventDefault: () => {
      waits = true;
    },
  });
  expect(waits).toBe(true);
  await daemon.stopAsked.promise;
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'])('%s quits, and a second one kills everything at once', async (signal) => {
  const daemon = new FakeDaemon();
  const { app, host, process } = await desktop([daemon]);
  await app.run();
  process.emit(signal);
  await daemon.stopAsked.promise;
  expect(daemon.killed).toBe(false);
  process.emit(signal);
  expect(await host.app.exited).toBe(1);
  expect(daemon.killed).toBe(true);
});

test('an uncaught exception quits with an exit code', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const daemon = new FakeDaemon();
  const { app, host, process } = await desktop([daemon]);
  await app.run();
  process.emit('uncaughtException', new Error('a bug'));
  await daemon.stopAsked.promise;
  daemon.stopped.resolve(true);
  expect(await host.app.exited).toBe(1);
});

test('a window that cannot be created leaves no daemon running', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const daemon = new FakeDaemon();
  const { app, host } = await desktop([daemon]);
  host.openWindow = () => {
    throw new Error('no window');
  };
  const ran = app.run();
  await daemon.stopAsked.promise;
  expect(host.errors, 'the robot is not left standing while the dialog is open').toEqual([]);
  daemon.stopped.resolve(true);
  await ran;
  expect(host.errors).toEqual(['Robot Desktop could not start: no window']);
  expect(await host.app.exited).toBe(1);
});

test('a failed stop of the daemon does not keep the program open', async () => {
  const daemon = new FakeDaemon();
  const { app, host } = await desktop([daemon]);
  await app.run();
  host.app.quit();
  daemon.stopped.reject(new Error('it cannot'));
  expect(await host.app.exited).toBe(1);
});
