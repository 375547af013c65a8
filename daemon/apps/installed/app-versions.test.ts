import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { AppSlotState } from '../../contract/apps/app-slot.ts';
import { KeyedMutex } from '../../shared/async/mutex.ts';
import { createLogger } from '../../shared/logger.ts';
import { appNamed, appsIn, haveInstalled } from '../../testing/apps/some-apps.ts';
import { AppVersions } from './app-versions.ts';
import { AppIsBeingChanged, AppIsRunning } from './errors.ts';

/** An app with two versions. */
async function setUp() {
  const folder = await mkdtemp(join(tmpdir(), 'apps-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const apps = await appsIn(folder);
  await haveInstalled(apps, appNamed('dance', { installedAt: '2026-01-01T00:00:00Z' }));
  await haveInstalled(apps, appNamed('dance', { version: '2.0', installedAt: '2026-01-02T00:00:00Z' }));
  const slot: { state: AppSlotState } = { state: { state: 'free', lastRun: null } };
  const removedWith: string[] = [];
  const startupApp = {
    async removeWith(name: string, remove: () => Promise<void>) {
      removedWith.push(name);
      await remove();
    },
  };
  const appLocks = new KeyedMutex();
  const now = () => new Date('2026-01-03T00:00:00Z');
  const log = createLogger('error', () => {});
  const forgotten: string[] = [];
  const history = { forget: async (name: string) => void forgotten.push(name) };
  const versions = new AppVersions({ apps, slot, appLocks, startupApp, history, now, log });
  return { apps, slot, removedWith, appLocks, forgotten, versions };
}
const running: AppSlotState = {
  state: 'running',
  holder: { kind: 'managed-app', appName: 'dance', runId: 'r' },
  since: '2026-01-03T00:00:00Z',
  sdk: 'connected',
  settingsPage: 'none',
  detail: null,
  until: null,
  alive: [],
};
test('a running app cannot be changed, nor one that is being installed', async () => {
  const { apps, slot, appLocks, versions } = await setUp();
  slot.state = running;
  await expect(versions.rollBack('dance')).rejects.toThrow(AppIsRunning);
  await expect(versions.remove('dance')).rejects.toThrow(AppIsRunning);
  slot.state = { state: 'free', lastRun: null };
  const release = await appLocks.acquire('dance');
  await expect(versions.rollBack('dance')).rejects.toThrow(AppIsBeingChanged);
  await expect(versions.remove('dance')).rejects.toThrow(AppIsBeingChanged);
  release();
  expect(apps.get('dance').version).toBe('2.0');
  expect((await versions.rollBack('dance')).version).toBe('1.0');
});

test('removing an app removes its runs, and its choice as the startup app', async () => {
  const { apps, removedWith, forgotten, versions } = await setUp();
  await haveInstalled(apps, appNamed('wave'));
  await versions.remove('wave');
  await versions.remove('dance');
  expect(removedWith).toEqual(['wave', 'dance']);
  expect(forgotten).toEqual(['wave', 'dance']);
  expect(apps.list()).toEqual([]);
});

test('an app that is running keeps its choice as the startup app', async () => {
  const { slot, removedWith, versions } = await setUp();
  slot.state = running;
  await expect(versions.remove('dance')).rejects.toThrow(AppIsRunning);
  expect(removedWith).toEqual([]);
});

test('a rollback keeps the pin', async () => {
  const { versions } = await setUp();
  expect(await versions.pin('dance', true)).toMatchObject({ pinned: true, version: '2.0' });
  expect(await versions.rollBack('dance')).toMatchObject({ pinned: true, version: '1.0' });
});
