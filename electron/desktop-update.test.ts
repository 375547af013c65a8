import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { DaemonSnapshot } from '../daemon/contract/daemon.ts';
import { daemonState } from './testing/daemon-states.ts';
import { desktop, FakeDaemon, only } from './testing/fake-desktop.ts';
import { FakeEvent } from './testing/fake-event.ts';
import type { ProgramUpdater } from './updates/program-updater.ts';

/** A program that has downloaded version 1.2.0 of itself. */
async function withUpdate(install: () => Promise<never>, isProgramThere = true) {
  const daemon = new FakeDaemon();
  const updater: ProgramUpdater = {
    look: async () => ({ version: '1.2.0', files: [] }),
    download: async () => {},
    install,
  };
  const updates = {
    way: async () => ({ by: 'program' }) as const,
    updater: async () => updater,
    isProgramThere: async () => isProgramThere,
  };
  const parts = await desktop([daemon], { updates });
  await parts.app.run();
  const update = parts.settings().update;
  update('look');
  await parts.clock.advance(0);
  update('download');
  await parts.clock.advance(0);
  expect(parts.settings().status.update).toEqual({ state: 'ready', version: '1.2.0' });
  return { ...parts, daemon, update };
}

/** Whether a quit of somebody else would be held up now. */
function holdsUpQuit({ app }: Awaited<ReturnType<typeof desktop>>['host']): boolean {
  const event = new FakeEvent();
  app.emit('before-quit', event);
  return event.defaultPrevented;
}

test('an update waits until the app is stopped and the robot folded; then the updater may quit', async () => {
  let installs = 0;
  const install = () => {
    installs += 1;
    return new Promise<never>(() => {});
  };
  const { host, daemon, update, clock } = await withUpdate(install);
  expect(update('install').update).toEqual({ state: 'installing', version: '1.2.0' });
  await daemon.stopAsked.promise;
  expect(only(host).title).toContain('stopping the app and folding the robot');
  expect([installs, holdsUpQuit(host)]).toEqual([0, true]);
  daemon.stopped.resolve(true);
  await clock.advance(0);
  expect([installs, holdsUpQuit(host)]).toEqual([1, false]);
});

test('an update that cannot be installed says why, and that the version stays', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => void vi.restoreAllMocks());
  const refuse = () => Promise.reject(Object.assign(new Error('EACCES: rename'), { code: 'EACCES' }));
  const { host, daemon, update } = await withUpdate(refuse);
  daemon.stopped.resolve(true);
  update('install');
  expect(await host.app.exited).toBe(1);
  expect(host.errors).toEqual([
    'The update was not installed: This user may not write where the program is. Version 1.0.0 is unchanged: start it again.',
  ]);
});

test('an update that failed after the program was removed does not say that its version stays', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => void vi.restoreAllMocks());
  const fail = () => Promise.reject(Object.assign(new Error('mv: no space'), { code: 'ENOSPC' }));
  const { host, daemon, update } = await withUpdate(fail, false);
  daemon.stopped.resolve(true);
  update('install');
  expect(await host.app.exited).toBe(1);
  expect(host.errors).toEqual([
    'The update was not installed: The disk has no room for the newer version. The program is gone: download it again from the place where you got it.',
  ]);
});

test('an update is not installed while the robot stands', async () => {
  let installs = 0;
  const { host, daemon, update } = await withUpdate(() => {
    installs += 1;
    return new Promise<never>(() => {});
  });
  daemon.stopped.resolve(false);
  update('install');
  expect(await host.app.exited).toBe(1);
  expect(installs).toBe(0);
  expect(host.errors).toEqual([
    'The update was not installed: The robot was not folded in time. Version 1.0.0 is unchanged: start it again.',
  ]);
});

test('a daemon that refuses what was chosen in the tray gives its reason in a dialog', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(409, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: 'The robot is held by another program.' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const daemon = new FakeDaemon(undefined, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const { app, host } = await desktop([daemon], { hasTrayHost: async () => true });
  await app.run();
  daemon.publish({ type: 'snapshot', snapshot: daemonState() as DaemonSnapshot });
  host.tray.choose('Put the Robot to Sleep');
  await vi.waitFor(() =>
    expect(host.errors).toEqual(['The robot was not put to sleep: The robot is held by another program.']),
  );
  expect(asked).toContain('POST /api/robot/sleep');
});
