import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { manualClock } from '../daemon/testing/manual-clock.ts';
import { MainWindow } from './main-window.ts';
import { WindowGuard } from './security.ts';
import { FakeHost, type FakeWindow } from './testing/fake-host.ts';

const URL = 'http://127.0.0.1:8000';
const PAUSE_MS = 500;
const refused = () => Object.assign(new Error('ERR_CONNECTION_REFUSED (-102)'), { code: 'ERR_CONNECTION_REFUSED' });

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));
afterEach(() => void vi.restoreAllMocks());

function mainWindow(...loadFailures: Error[]) {
  const host = new FakeHost();
  const clock = manualClock();
  const guard = new WindowGuard(host);
  const window = new MainWindow({ host, guard, url: URL, iconFile: '', openApp: () => {}, clock, isMinimized: false });
  const fake = host.windows[0] as FakeWindow;
  fake.loadFailures.push(...loadFailures);
  return { window, fake, clock };
}

test('a page that cannot be loaded is tried again after a pause, and the reason is in the log', async () => {
  const { window, fake, clock } = mainWindow(refused());
  window.show('#/apps');
  await clock.advance(PAUSE_MS - 1);
  expect(fake.loaded).toEqual([`${URL}/#/apps`]);
  await clock.advance(1);
  expect(fake.loaded).toEqual([`${URL}/#/apps`, `${URL}/#/apps`]);
  expect(console.error).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('ERR_CONNECTION_REFUSED'));
});

test('it is tried four times at most', async () => {
  const { window, fake, clock } = mainWindow(...Array.from({ length: 9 }, refused));
  window.show('#/');
  await clock.advance(20 * PAUSE_MS);
  expect(fake.loaded).toHaveLength(4);
});

test('it is not tried again once another page is shown, or the window is closed', async () => {
  const { window, fake, clock } = mainWindow(refused(), new Error('Object has been destroyed'));
  window.show('#/apps');
  window.show('#/robot');
  await clock.advance(0);
  fake.close();
  await clock.advance(20 * PAUSE_MS);
  expect(fake.loaded).toEqual([`${URL}/#/apps`, `${URL}/#/robot`]);
});

test('a page that another one replaced while it loaded is not tried again', async () => {
  const { window, fake, clock } = mainWindow(Object.assign(new Error('ERR_ABORTED (-3)'), { code: 'ERR_ABORTED' }));
  window.show('#/apps');
  await clock.advance(20 * PAUSE_MS);
  expect(fake.loaded).toHaveLength(1);
});
