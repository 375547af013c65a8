import { expect, onTestFinished, test, vi } from 'vitest';
import { AppSessions, AppWindows } from './app-windows.ts';
import { WindowGuard } from './security.ts';
import { FakeEvent } from './testing/fake-event.ts';
import { FakeHost, type FakeWindow } from './testing/fake-host.ts';

/** Windows of settings pages, and what happens to them and to what the pages have saved, in order. */
function appWindows(...failures: Error[]) {
  const host = new FakeHost();
  const windows = new AppWindows(host, new WindowGuard(host), new AppSessions(host, '/nowhere'));
  const happened: string[] = [];
  const open = host.openWindow;
  host.openWindow = (options) => {
    const opened = open(options);
    const window = host.windows.at(-1) as FakeWindow;
    window.close = () => void happened.push(`close ${options.name}`); // its page may refuse
    const destroy = window.destroy.bind(window);
    window.destroy = () => {
      happened.push(`destroy ${options.name}`);
      destroy();
    };
    window.loadFailures.push(...failures);
    return opened;
  };
  const show = (appName: string, port = 8042) =>
    windows.show({ appName, title: `The ${appName}`, url: `http://localhost:${port}/ui` });
  const sessionOf = (appName: string) => {
    const session = host.sessions.get(`persist:app-${appName}`);
    if (!session) throw new Error(`${appName} has no session`);
    return session;
  };
  const logClearing = (appName: string) => {
    const session = sessionOf(appName);
    session.clearStorageData = async () => void happened.push(`clear storage of ${appName}`);
    session.clearCache = async () => void happened.push(`clear cache of ${appName}`);
  };
  return { host, windows, happened, show, sessionOf, logClearing };
}

const names = ({ windows }: FakeHost) => windows.map(({ options }) => options.name);

test('a page is loaded in a window that is named after its app and keeps its place, and shown in front', () => {
  const { host, show } = appWindows();
  show('wave');
  const [window] = host.windows as [FakeWindow];
  expect(window.options).toMatchObject({
    ...{ name: 'app-wave', windowStatePersistence: true, title: 'Settings of The wave', width: 760, height: 720 },
    webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false, partition: 'persist:app-wave' },
  });
  expect([window.loaded, window.shown, window.focused]).toEqual([['http://localhost:8042/ui'], 1, 1]);
});

test('a page that sets a title does not change that of its window', () => {
  const { host, show } = appWindows();
  show('wave');
  const event = new FakeEvent();
  host.windows[0]?.emit('page-title-updated', event);
  expect(event.defaultPrevented).toBe(true);
});

test('each app has one window, which is restored, loaded again and shown in front', () => {
  const { host, show } = appWindows();
  show('wave');
  show('dance', 8043);
  const [wave, dance] = host.windows as [FakeWindow, FakeWindow];
  wave.minimized = true;
  show('wave', 8044);
  expect(names(host)).toEqual(['app-wave', 'app-dance']);
  expect(wave.loaded).toEqual(['http://localhost:8042/ui', 'http://localhost:8044/ui']);
  expect([wave.minimized, wave.shown, wave.focused]).toEqual([false, 2, 2]);
  expect([dance.loaded, dance.shown]).toEqual([['http://localhost:8043/ui'], 1]);
  expect(wave.webContents.goes('http://localhost:8044/more')).toBe(true);
  expect(wave.webContents.goes('http://localhost:8042/more')).toBe(false);
  expect(dance.webContents.goes('http://localhost:8044/more')).toBe(false);
});

test('a window that its user has closed is opened again', () => {
  const { host, show } = appWindows();
  show('wave');
  host.windows[0]?.emit('closed');
  show('wave');
  expect(names(host)).toEqual(['app-wave', 'app-wave']);
  expect(host.windows[1]?.loaded).toHaveLength(1);
});

test('a page that cannot be loaded keeps its window, and is no error of the program', async () => {
  const { host, show } = appWindows(new Error('ERR_CONNECTION_REFUSED (-102)'));
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  onTestFinished(() => void process.off('unhandledRejection', unhandled));
  show('wave');
  await new Promise(setImmediate);
  expect(unhandled).not.toHaveBeenCalled();
  show('wave');
  expect(host.windows).toHaveLength(1);
});

test('the page of a removed app is ended before it can save more, and what it has saved is deleted', async () => {
  const { windows, happened, show, logClearing } = appWindows();
  for (const name of ['wave', 'dance', 'hello']) {
    show(name);
    logClearing(name);
  }
  await windows.keepOnly(['dance', 'other']);
  expect(happened.slice(0, 2)).toEqual(['destroy app-wave', 'destroy app-hello']);
  expect(happened.slice(2).sort()).toEqual([
    'clear cache of hello',
    'clear cache of wave',
    'clear storage of hello',
    'clear storage of wave',
  ]);
});

test('what a removed app has saved is deleted also when its window is closed', async () => {
  const { host, windows, show, sessionOf } = appWindows();
  show('wave');
  host.windows[0]?.emit('closed');
  await windows.keepOnly([]);
  expect(sessionOf('wave').cleared).toEqual(['storage', 'cache']);
});

test('the removal of what an app has saved is waited for', async () => {
  const { windows, show, sessionOf } = appWindows();
  show('wave');
  const cleared = Promise.withResolvers<undefined>();
  sessionOf('wave').clearCache = () => cleared.promise;
  let isDone = false;
  const removal = windows.keepOnly([]).then(() => {
    isDone = true;
  });
  await new Promise(setImmediate);
  expect(isDone).toBe(false);
  cleared.resolve(undefined);
  await removal;
});

test('an app that stays keeps its window and what it has saved; one of a removed name gets a new window', async () => {
  const { host, windows, happened, show, sessionOf } = appWindows();
  show('wave');
  show('dance');
  await windows.keepOnly(['dance']);
  expect([happened, sessionOf('dance').cleared]).toEqual([['destroy app-wave'], []]);
  show('dance');
  show('wave');
  expect(names(host)).toEqual(['app-wave', 'app-dance', 'app-wave']);
});
