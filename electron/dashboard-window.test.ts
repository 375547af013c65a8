import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { DaemonSnapshot } from '../daemon/contract/daemon.ts';
import type { DesktopAppDeps } from './desktop-app.ts';
import { daemonState } from './testing/daemon-states.ts';
import { desktop, FakeDaemon, only, URL } from './testing/fake-desktop.ts';
import { FakeEvent } from './testing/fake-event.ts';

/** A program with a tray, started. */
async function inTray(more: Partial<DesktopAppDeps> = {}) {
  const daemon = new FakeDaemon();
  const parts = await desktop([daemon], { hasTrayHost: async () => true, ...more });
  await parts.app.run();
  return { ...parts, daemon };
}

/** As it was left by an earlier start. */
async function opensHidden(dataDir: string): Promise<void> {
  await mkdir(join(dataDir, 'window'), { recursive: true });
  await writeFile(join(dataDir, 'window', 'desktop-settings.json'), '{"opensHidden":true}');
}

const isGone = (window: { readonly isDestroyed: boolean }) => vi.waitFor(() => expect(window.isDestroyed).toBe(true));

test('closed for the first time, it asks; kept running, the tray opens it again, and it asks no more', async () => {
  const { host, settings } = await inTray();
  only(host).close();
  await isGone(only(host));
  expect(host.questions).toMatchObject([
    { message: 'Keep Robot Desktop running in the tray?', buttons: ['Keep running', 'Quit', 'Cancel'] },
  ]);
  expect(settings().status.closing).toBe('keep-running');
  host.tray.choose('Open Robot Desktop');
  expect(host.windows[1]?.loaded).toEqual([`${URL}/#/`]);
  host.windows[1]?.close();
  await vi.waitFor(() => expect(host.windows[1]?.isDestroyed).toBe(true));
  expect(host.questions).toHaveLength(1);
});

test('the answer to quit ends the program, and the robot is folded', async () => {
  const { host, daemon } = await inTray();
  host.pressed = 1;
  only(host).close();
  await daemon.stopAsked.promise;
  daemon.stopped.resolve(true);
  expect(await host.app.exited).toBe(0);
});

test('a question that is cancelled leaves the window open; closed twice meanwhile, it asks once', async () => {
  const { host, settings, clock } = await inTray();
  host.pressed = 2;
  const answered = Promise.withResolvers<void>();
  host.answered = answered.promise;
  only(host).close();
  only(host).close();
  await vi.waitFor(() => expect(host.questions).toHaveLength(1));
  answered.resolve();
  await clock.advance(0);
  expect([only(host).isDestroyed, host.questions.length, settings().status.closing]).toEqual([false, 1, 'ask']);
});

test('a quit while the question is open is not held up by it', async () => {
  const { host, daemon } = await inTray();
  host.pressed = 2; // as Electron answers when it exits
  const answered = Promise.withResolvers<void>();
  host.answered = answered.promise;
  only(host).close();
  await vi.waitFor(() => expect(host.questions).toHaveLength(1));
  host.app.quit();
  daemon.stopped.resolve(true);
  expect(await host.app.exited).toBe(0);
  answered.resolve();
});

test('without a tray the program never waits unseen: it quits, whatever was chosen', async () => {
  const { host, daemon, settings } = await inTray({ hasTrayHost: async () => false });
  await settings().change({ closing: 'keep-running' });
  expect(settings().status.noTray).toBe('This desktop shows no tray icons, so closing the window quits.');
  only(host).close();
  await daemon.stopAsked.promise;
  expect(host.questions).toEqual([]);
});

test('a tray that the desktop takes away while no window is open brings the window back', async () => {
  let hasTray = true;
  const { host, clock } = await inTray({ hasTrayHost: async () => hasTray });
  only(host).close();
  await isGone(only(host));
  hasTray = false;
  await clock.advance(60_000);
  expect(host.windows).toHaveLength(1);
  await clock.advance(60_000);
  expect(host.windows).toHaveLength(2);
  await clock.advance(10 * 60_000);
  expect(host.windows).toHaveLength(2);
});

test('on Windows, which tells windows alone, a program in the tray hears of the end of the session, too', async () => {
  const { host, daemon } = await inTray({ platform: 'win32' });
  only(host).close();
  await isGone(only(host));
  const hidden = host.windows[1];
  expect(hidden?.options.show).toBe(false);
  host.tray.click();
  expect(host.windows.map(({ isDestroyed }) => isDestroyed)).toEqual([true, true, false]);
  host.windows[2]?.close();
  await vi.waitFor(() => expect(host.windows).toHaveLength(4));
  const event = new FakeEvent();
  host.windows[3]?.emit('query-session-end', event);
  expect(event.defaultPrevented, 'the system waits').toBe(true);
  await daemon.stopAsked.promise;
});

test('a quit from the tray folds the robot, and the tray says so', async () => {
  const { host, daemon } = await inTray();
  host.tray.choose('Quit');
  await daemon.stopAsked.promise;
  expect(host.tray.labels).toEqual(['Stopping the app and folding the robot (disabled)']);
});

test('a window that its system closes without a question quits', async () => {
  const { host, daemon } = await inTray();
  only(host).destroy();
  await daemon.stopAsked.promise;
  expect(host.questions).toEqual([]);
});

test('opened at login it waits in the tray, if that was chosen, until its window is wanted', async () => {
  const more = { hasTrayHost: async () => true, isLoginStart: () => true };
  const { app, host, dataDir } = await desktop([new FakeDaemon()], more);
  await opensHidden(dataDir);
  await app.run();
  expect(host.windows).toEqual([]);
  host.app.emit('second-instance', {}, ['/opt/robot-desktop/robot-desktop', '--at-login']);
  expect(host.windows).toEqual([]);
  host.app.emit('second-instance', {}, ['/opt/robot-desktop/robot-desktop']);
  expect(only(host).loaded).toEqual([`${URL}/#/`]);
});

test('opened at login, it shows its window to a user who starts it meanwhile', async () => {
  const started = Promise.withResolvers<void>();
  const more = { hasTrayHost: async () => true, isLoginStart: () => true };
  const { app, host, dataDir } = await desktop([new FakeDaemon(() => started.promise)], more);
  await opensHidden(dataDir);
  const ran = app.run();
  host.app.emit('second-instance', {}, ['/opt/robot-desktop/robot-desktop']);
  started.resolve();
  await ran;
  expect(only(host)).toMatchObject({ minimized: false, options: { show: true } });
});

test('opened at login without a tray, the window waits in the task bar', async () => {
  const { app, host, dataDir } = await desktop([new FakeDaemon()], { isLoginStart: () => true });
  await opensHidden(dataDir);
  await app.run();
  expect(only(host)).toMatchObject({ minimized: true, options: { show: false } });
});

test('opened at login and restarted, it shows its window: its user waits for it', async () => {
  const argv = ['/opt/robot-desktop/robot-desktop', '--at-login', '--', '--port', '0'];
  const { app, host, daemon } = await inTray({ argv, isLoginStart: () => true });
  app.restart();
  daemon.stopped.resolve(true);
  await host.app.exited;
  expect(host.relaunched).toEqual(['--', '--port', '0']);
});

test('a start by its user shows the window, also if that was chosen', async () => {
  const { app, host, dataDir } = await desktop([new FakeDaemon()], { hasTrayHost: async () => true });
  await opensHidden(dataDir);
  await app.run();
  expect(only(host)).toMatchObject({ minimized: false, options: { show: true } });
});

test('opened at login it shows its window unless that was chosen', async () => {
  const { app, host } = await desktop([new FakeDaemon()], { isLoginStart: () => true, hasTrayHost: async () => true });
  await app.run();
  expect(only(host)).toMatchObject({ minimized: false, options: { show: true } });
});

test('what needs attention is counted on the icon', async () => {
  const { host, daemon } = await inTray();
  const unseen = { unseen: 2, revision: 1, newest: null, canMail: false };
  daemon.publish({ type: 'snapshot', snapshot: daemonState({ notifications: unseen }) as DaemonSnapshot });
  expect(host.app.badge).toBe(2);
  daemon.publish({ type: 'notifications.changed', notifications: { ...unseen, unseen: 0 } });
  expect(host.app.badge).toBe(0);
});

test('on Windows the icon in the task bar has a dot, also that of a window that is opened later', async () => {
  const { host, daemon } = await inTray({ platform: 'win32' });
  const unseen = { unseen: 2, revision: 1, newest: null, canMail: false };
  daemon.publish({ type: 'snapshot', snapshot: daemonState({ notifications: unseen }) as DaemonSnapshot });
  expect(only(host).dot).toBe('Something needs attention');
  only(host).close();
  await isGone(only(host));
  host.tray.click();
  const opened = host.windows.at(-1);
  expect(opened?.dot).toBe('Something needs attention');
  daemon.publish({ type: 'notifications.changed', notifications: { ...unseen, unseen: 0 } });
  expect(opened?.dot).toBeNull();
});
