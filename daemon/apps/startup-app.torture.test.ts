/** The startup app with real apps, the simulated robot and its antenna. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { DaemonOptions } from '../daemon-options.ts';
import { fixtureApp, newDataDir, startTestDaemon, type TestDaemon } from '../testing/daemon/test-daemon.ts';

const TIMEOUT = { timeout: 20_000, interval: 50 };

let dataDir: string;
beforeAll(async () => {
  dataDir = await newDataDir();
  await using daemon = await startTestDaemon({ dataDir });
  await daemon.install(fixtureApp('polite'));
  return () => rm(dataDir, { recursive: true, force: true });
});

async function start(options: Partial<DaemonOptions> = {}): Promise<TestDaemon> {
  const daemon = await startTestDaemon({ dataDir, ...options });
  onTestFinished(async () => void (await daemon.stop()));
  return daemon;
}

const choose = (daemon: TestDaemon, startupApp: string | null) => daemon.put('/api/apps/startup-app', { startupApp });
const chosen = async (daemon: TestDaemon) => (await daemon.call('getStartupApp')).startupApp;
const isRunning = (daemon: TestDaemon, appName: string) =>
  vi.waitFor(async () => expect(await daemon.slot()).toMatchObject({ state: 'running', holder: { appName } }), TIMEOUT);

test('the startup app is set and cleared, stored, and started when a touch wakes the robot', {
  tags: ['smoke'],
}, async () => {
  const daemon = await start();
  expect(await chosen(daemon)).toBeNull();
  expect(await choose(daemon, 'polite')).toEqual({ status: 200, body: { startupApp: 'polite' } });
  expect(await choose(daemon, 'unheard_of')).toMatchObject({ status: 404 });
  expect((await choose(daemon, 'not a name!')).status).toBe(400);
  await daemon.stop();
  const again = await start();
  expect(await chosen(again)).toBe('polite');
  await sleep(1_500); // its antennas have to rest for a second before a push is one
  await again.post('/api/robot/simulation/touch');
  await isRunning(again, 'polite');
  expect(await again.robot()).toMatchObject({ state: 'awake' });
  expect(await choose(again, null)).toEqual({ status: 200, body: { startupApp: null } });
});

test('the choice of an app that is missing stays stored, and is used again once the app is back', async () => {
  const file = join(dataDir, 'startup-app.json');
  const choice = JSON.stringify({ startupApp: 'polite' });
  await writeFile(file, choice);
  const folder = join(dataDir, 'apps', 'polite');
  const elsewhere = join(dataDir, 'polite-elsewhere');
  await rename(folder, elsewhere);
  const without = await start();
  expect(await chosen(without)).toBeNull();
  await without.stop();
  expect(await readFile(file, 'utf8')).toBe(choice);
  await rename(elsewhere, folder);
  const back = await start();
  expect(await chosen(back)).toBe('polite');
  await back.stop();
});

test('a damaged record of the choice does not prevent the start', async () => {
  await writeFile(join(dataDir, 'startup-app.json'), '{');
  expect(await chosen(await start())).toBeNull();
});

test('a missing startup app from the catalog is installed first, as a job, and started after the wake-up', async () => {
  const daemon = await startTestDaemon({ startupApp: 'hello_wave', wakeUpOnStart: true });
  onTestFinished(() => daemon[Symbol.asyncDispose]());
  const job = async () => (await daemon.get('/api/jobs')).body[0] ?? expect.fail('no job');
  expect(await vi.waitFor(job)).toMatchObject({ kind: 'install-app' });
  expect(await daemon.robot()).toMatchObject({ state: 'asleep' });
  await isRunning(daemon, 'hello_wave');
});
