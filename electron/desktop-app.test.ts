import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { desktop, FakeDaemon, only, URL } from './testing/fake-desktop.ts';

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
