/** The startup app with real apps, the simulated robot and its antenna. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
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

test('the startup app is set and cleared, stored, and started when a touch wakes the robot', async () => {
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

test('the choice of an app whose record is damaged stays, since the doctor may bring the app back', async () => {
  const file = join(dataDir, 'startup-app.json');
  await writeFile(file, JSON.stringify({ startupApp: 'damaged_app' }));
  const folder = join(dataDir, 'apps', 'damaged-app');
  await mkdir(folder);
  await writeFile(join(folder, 'current.json'), '{');
  const daemon = await start();
  expect(await chosen(daemon)).toBeNull();
  await daemon.stop();
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ startupApp: 'damaged_app' });
  await rm(folder, { recursive: true });
});

test('a removed startup app is cleared, and a damaged record does not prevent the start', async () => {
  const file = join(dataDir, 'startup-app.json');
  await writeFile(file, JSON.stringify({ startupApp: 'removed_app' }));
  const daemon = await start();
  expect(await chosen(daemon)).toBeNull();
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ startupApp: null });
  await daemon.stop();
  await writeFile(file, '{');
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
