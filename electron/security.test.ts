import { expect, test } from 'vitest';
import { manualClock } from '../daemon/testing/manual-clock.ts';
import { AppSessions, AppWindows } from './app-windows.ts';
import { MainWindow } from './main-window.ts';
import { WindowGuard } from './security.ts';
import { FakeEvent } from './testing/fake-event.ts';
import { FakeHost, type FakeWindow } from './testing/fake-host.ts';
import { FakeDownload } from './testing/fake-session.ts';

const URL = 'http://127.0.0.1:8000';

function mainWindow() {
  const host = new FakeHost();
  const asked: string[] = [];
  const guard = new WindowGuard(host);
  const openApp = (url: string) => asked.push(url);
  new MainWindow({ host, guard, url: URL, iconFile: '', openApp, clock: manualClock(), isMinimized: false });
  return { host, asked, window: host.windows[0] as FakeWindow };
}

function appWindow() {
  const host = new FakeHost();
  const windows = new AppWindows(host, new WindowGuard(host), new AppSessions(host, '/profile'));
  const page = { appName: 'look_around', title: 'Look around', url: 'http://localhost:8042/' };
  windows.show(page);
  return { host, windows, page, window: host.windows[0] as FakeWindow };
}

test("the dashboard stays at the daemon's origin; our links open in the browser, others nowhere", () => {
  const { host, asked, window } = mainWindow();
  const { webContents } = window;
  expect(webContents.goes(`${URL}/#/robot`)).toBe(true);
  for (const url of [
    'https://evil.test/',
    'http://127.0.0.1:8001/',
    'file:///etc/passwd',
    'data:text/html,x',
    `blob:${URL}/1`,
    `filesystem:${URL}/temporary/x`,
    'mailto:someone@evil.test',
    'javascript:alert(1)',
    'http://evil.test@127.0.0.1:8000/',
    'no url',
  ]) {
    expect(webContents.goes(url)).toBe(false);
    expect(webContents.goes(url, 'will-redirect')).toBe(false);
    expect(webContents.goes(url, 'will-frame-navigate')).toBe(false);
    expect(webContents.opens(url)).toBe(false);
  }
  expect(webContents.goes('https://www.python.org/')).toBe(false);
  expect(webContents.opens('https://www.python.org/')).toBe(false);
  expect(host.outside).toEqual(['https://www.python.org/', 'https://www.python.org/']);
  expect(asked).not.toContain('https://www.python.org/');
});

test('a page of this machine that the dashboard links to is shown to the apps, and never in the same window', () => {
  const { asked, window } = mainWindow();
  expect(window.webContents.opens('http://localhost:8042/')).toBe(false);
  expect(asked).toEqual(['http://localhost:8042/']);
});

test('a window without rules shows no page', () => {
  const host = new FakeHost();
  new WindowGuard(host);
  host.openWindow({});
  const { webContents } = host.windows[0] as FakeWindow;
  expect(webContents.goes(`${URL}/`)).toBe(false);
  expect(webContents.opens(`${URL}/`)).toBe(false);
  let mayStay = true;
  webContents.emit('will-prevent-unload', {
    preventDefault: () => {
      mayStay = false;
    },
  });
  expect(mayStay, 'a page keeps its window from closing').toBe(false);
  let attached = true;
  webContents.emit('will-attach-webview', {
    preventDefault: () => {
      attached = false;
    },
  });
  expect(attached).toBe(false);
});

test("an app's page has its own window, session and origin, and no permission", () => {
  const { host, window } = appWindow();
  expect(window.options.webPreferences).toEqual({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    spellcheck: false,
    safeDialogs: true,
    safeDialogsMessage: 'Show no more messages of this page',
    partition: 'persist:app-look_around',
  });
  expect(window.loaded).toEqual(['http://localhost:8042/']);
  expect(window.webContents.goes('http://localhost:8042/more')).toBe(true);
  expect(window.webContents.goes(`${URL}/`)).toBe(false);
  expect(window.webContents.goes('https://evil.test/')).toBe(false);
  expect(window.webContents.opens('http://localhost:8042/more')).toBe(false);
  const session = host.sessions.get('persist:app-look_around');
  expect(session?.grants('clipboard-sanitized-write', 'http://localhost:8042/')).toBe(false);
  expect(session?.grants('media', 'http://localhost:8042/')).toBe(false);
});

test("an app's page follows its app to another port, and leaves the old one behind", () => {
  const { windows, page, window } = appWindow();
  windows.show({ ...page, url: 'http://localhost:8043/' });
  expect(window.webContents.goes('http://localhost:8043/more')).toBe(true);
  expect(window.webContents.goes('http://localhost:8042/more')).toBe(false);
});

test("an app's page cannot make the browser open anything", () => {
  const { host, window } = appWindow();
  expect(window.webContents.opens('https://www.python.org/')).toBe(false);
  expect(window.webContents.goes('https://www.python.org/')).toBe(false);
  expect(host.outside).toEqual([]);
});

test("an app's page is named after the app, and opened once", () => {
  const { host, windows, page, window } = appWindow();
  let prevented = false;
  window.emit('page-title-updated', {
    preventDefault: () => {
      prevented = true;
    },
  });
  expect(prevented).toBe(true);
  expect(window.title).toBe('Settings of Look around');
  windows.show(page);
  expect(host.windows).toHaveLength(1);
  expect(window.focused).toBe(2);
  window.close();
  windows.show(page);
  expect(host.windows).toHaveLength(2);
});

test("an app's page cannot be named like the dashboard, nor hide what follows its name", () => {
  const host = new FakeHost();
  const windows = new AppWindows(host, new WindowGuard(host), new AppSessions(host, '/profile'));
  const url = 'http://localhost:8042/';
  windows.show({ appName: 'a', title: 'Home · Robot Desktop\u202e\nsaved', url });
  windows.show({ appName: 'b', title: 'x'.repeat(500), url });
  expect(host.windows.map(({ title }) => title)).toEqual([
    'Settings of Home · Robot Desktop saved',
    `Settings of ${'x'.repeat(59)}…`,
  ]);
});

test("an app's page saves a file only where its user says, also from another port and in a second window", () => {
  const { host, windows, page, window } = appWindow();
  const session = host.sessions.get('persist:app-look_around');
  expect(session?.saves(new FakeDownload('http://localhost:8042/a'))).toBe('Save a.txt from the page of Look around');
  expect(session?.saves(new FakeDownload('http://localhost:8043/a'))).toBeNull();
  window.close();
  windows.show({ ...page, url: 'http://localhost:8043/' });
  expect(session?.saves(new FakeDownload('http://localhost:8043/a'))).toBeNull(); // the first dialog is still open
  expect(session?.listenerCount('will-download')).toBe(1);
});

test('no page gets a certificate, a password, a device or trust in a broken certificate', () => {
  const { host, window } = appWindow();
  /** The program's answer; null: it leaves the answer to Electron. */
  const answerTo = (emitter: NodeJS.EventEmitter, name: string, ...details: unknown[]) => {
    const event = new FakeEvent();
    let answer: unknown[] | null = null;
    emitter.emit(name, event, ...details, (...given: unknown[]) => {
      answer = given;
    });
    return event.defaultPrevented ? answer : null;
  };
  const url = 'https://evil.test/';
  expect(answerTo(host.app, 'select-client-certificate', {}, url, ['mine'])).toEqual([]);
  expect(answerTo(host.app, 'certificate-error', {}, url, 'net::ERR_CERT_AUTHORITY_INVALID', {})).toEqual([false]);
  expect(answerTo(host.app, 'login', {}, { url }, { isProxy: true })).toEqual([]);
  expect(answerTo(window.webContents, 'select-bluetooth-device', ['a headset'])).toEqual(['']);
});

test('a page whose process has ended is loaded again after the event, and not if its window is closed by then', async () => {
  const { window } = mainWindow();
  window.webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 });
  expect(window.webContents.reloads).toBe(0);
  await new Promise(setImmediate);
  expect(window.webContents.reloads).toBe(1);
  window.webContents.emit('render-process-gone', {}, { reason: 'killed', exitCode: 15 });
  window.close();
  await new Promise(setImmediate);
  expect(window.webContents.reloads).toBe(1);
});
