/** The daemon is killed while an app runs: the next one lists the run with its outcome and output. */
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { daemonAt } from '../../client/node/daemon-at.ts';
import { install } from '../../client/node/install.ts';
import { type DaemonProcess, startDaemonProcess } from '../../testing/daemon/daemon-process.ts';
import { rawRequests } from '../../testing/daemon/raw-requests.ts';
import { fixtureApp, newDataDir } from '../../testing/daemon/test-daemon.ts';

const TIMEOUT = { timeout: 20_000, interval: 50 };

let dataDir: string;
let daemon: DaemonProcess;
beforeAll(async () => {
  dataDir = await newDataDir();
  daemon = await startDaemonProcess(dataDir);
});
afterAll(async () => {
  await daemon?.kill();
  await rm(dataDir, { recursive: true, force: true });
});

const get = async (path: string) => (await rawRequests(daemon.url).get(path)).body;
const post = async (path: string) => (await rawRequests(daemon.url).post(path)).body;

test('the next daemon reports the interrupted run, and the app can run again', async () => {
  const installed = await install(daemonAt(daemon.url), fixtureApp('polite'), { withinMs: TIMEOUT.timeout });
  expect(installed.state).toBe('done');
  await post('/api/apps/start-app/polite');
  const { holder } = await get('/api/apps/slot');
  // Its output is on the disk a moment after it was written.
  const folder = join(dataDir, 'runs', holder.runId);
  await vi.waitFor(async () => expect(await readFile(join(folder, '1.ndjson'), 'utf8')).toContain('ready'), TIMEOUT);
  expect((await readdir(folder)).sort()).toEqual(['1.ndjson', 'begun.json']);
  await daemon.kill();

  daemon = await startDaemonProcess(dataDir);
  const run = {
    runId: holder.runId,
    appName: 'polite',
    version: '1.0.0',
    outcome: 'killed',
    exitCode: null,
    message: 'The daemon stopped while it ran.',
  };
  expect(await get('/api/apps/slot')).toMatchObject({ state: 'free', lastRun: run });
  expect(await get('/api/apps/runs')).toMatchObject([run]);
  const ready = { runId: holder.runId, appName: 'polite', lines: [{ number: 1, text: 'ready' }] };
  expect(await get('/api/apps/output')).toMatchObject(ready);
  expect(await get(`/api/apps/runs/${holder.runId}/output`)).toMatchObject(ready);

  await post('/api/apps/start-app/polite');
  await vi.waitFor(async () => expect(await get('/api/apps/slot')).toMatchObject({ sdk: 'connected' }), TIMEOUT);
  expect(await post('/api/apps/stop-current-app')).toMatchObject({ lastRun: { outcome: 'stopped' } });
  expect((await get('/api/apps/runs')).map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    'stopped',
    'killed',
  ]);
});
