import { expect, test } from 'vitest';
import { AppWindows } from './app-windows.ts';
import { MainWindow } from './main-window.ts';
import { grantOnly, isOutsideLink, WindowGuard } from './security.ts';
import { FakeHost, type FakeWindow } from './testing/fake-host.ts';

const URL = 'http://127.0.0.1:8000';

function mainWindow() {
  const host = new FakeHost();
  const asked: string[] = [];
  const guard = new WindowGuard(host);
  new MainWindow({ host, guard, url: URL, iconFile: '', openApp: (url) => asked.push(url) });
  return { host, asked, window: host.windows[0] as FakeWindow };
}

function appWindow() {
  const host = new FakeHost();
  const windows = new AppWindows(host, new WindowGuard(host));
  const page = { appName: 'look_around', title: 'Look around', url: 'http://localhost:8042/' };
  windows.show(page);
  return { host, windows, page, window: host.windows[0] as FakeWindow };
}

test.each([
  ['https://www.python.org/downloads/', true],
  ['http://www.python.org/downloads/', false],
  ['https://www.python.org.evil.test/', false],
  ['https://someone@www.python.org/', false],
  ['https://evil.test/', false],
  ['file:///etc/passwd', false],
  ['javascript:alert(1)', false],
  ['smb://share/file', false],
  ['', false],
])('%s may be opened in the browser: %s', (url, may) => {
  expect(isOutsideLink(url)).toBe(may);
});

test("the dashboard stays at the daemon's origin; our links open in the browser, others nowhere", () => {
  const { host, asked, window } = mainWindow();
  const { webContents } = window;
  expect(webContents.goes(`${URL}/#/robot`)).toBe(true);
  for (const url of [
    'https://evil.test/',
    'http://127.0.0.1:8001/',
    'file:///etc/passwd',
    'data:text/html,x',
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

test('the dashboard may write to the clipboard, and nothing else is granted to anybody', () => {
  const { host } = mainWindow();
  const session = host.session.defaultSession;
  expect(session.grants('clipboard-sanitized-write', `${URL}/`)).toBe(true);
  expect(session.grants('clipboard-sanitized-write', 'https://evil.test/')).toBe(false);
  for (const permission of [
    'media',
    'geolocation',
    'notifications',
    'clipboard-read',
    'usb',
    'serial',
    'openExternal',
  ]) {
    expect(session.grants(permission, `${URL}/`)).toBe(false);
  }
  expect(session.grantsDevices()).toBe(false);
});

test('a permission request without an address is not granted', () => {
  const { session } = new FakeHost();
  grantOnly(session.defaultSession, { origin: '', permissions: ['media'] });
  expect(session.defaultSession.grants('media', '')).toBe(false);
});

test("an app's page has its own window, session and origin, and no permission", () => {
  const { host, window } = appWindow();
  expect(window.options.webPreferences).toEqual({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webviewTag: false,
    navigateOnDragDrop: false,
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
  expect(window.title).toBe('Look around');
  windows.show(page);
  expect(host.windows).toHaveLength(1);
  expect(window.focused).toBe(2);
  window.close();
  windows.show(page);
  expect(host.windows).toHaveLength(2);
});
