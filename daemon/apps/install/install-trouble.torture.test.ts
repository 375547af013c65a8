/** A failing hub, a lost network, a limit on files: each gives a classified failure and keeps the old state. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { daemonAt } from '../../client/node/daemon-at.ts';
import { install } from '../../client/node/install.ts';
import type { Job } from '../../contract/jobs.ts';
import { runCommand } from '../../shared/processes/run-command.ts';
import { type AppPackage, writeAppPackage } from '../../testing/apps/app-packages.ts';
import { filesOf } from '../../testing/apps/folder-files.ts';
import { startDaemonProcess } from '../../testing/daemon/daemon-process.ts';
import { newDataDir, startTestDaemon, type TestDaemon, tracesIn } from '../../testing/daemon/test-daemon.ts';
import { fillsTheDisk, tooLarge } from '../../testing/disks/large-apps.ts';
import { type FakeHub, startFakeHub } from '../../testing/fake-hub.ts';

const LARGE = Buffer.alloc(400_000, 'large ');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'robot-desktop-trouble-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const write = (app: AppPackage) => writeAppPackage(join(folder, app.name), app);
const jobOf = async (daemon: TestDaemon, id: string): Promise<Job> => (await daemon.get(`/api/jobs/${id}`)).body;
const refusal = ({ state, failure }: Job) => ({ state, reason: failure?.reason });
async function startsAndStops(daemon: TestDaemon, name: string): Promise<void> {
  expect(await daemon.post(`/api/apps/start-app/${name}`)).toMatchObject({ status: 200 });
  await vi.waitFor(async () => expect(await daemon.output()).toContain('ready'));
  expect(await daemon.post('/api/apps/stop-current-app')).toMatchObject({ body: { lastRun: { outcome: 'stopped' } } });
}

describe('an update from a Space', () => {
  let hub: FakeHub;
  let daemon: TestDaemon;
  let before: string[];

  beforeAll(async () => {
    hub = await startFakeHub();
    daemon = await startTestDaemon({ hubUrl: hub.url });
    const version = async (text: string) => filesOf(await write({ name: 'steady', version: text }));
    await hub.addSpace({ id: 'ann/steady', files: await version('1.0.0') });
    const { body } = await daemon.post('/api/apps/install', { url: `${hub.url}/spaces/ann/steady` });
    expect(await daemon.jobEnd(body.id)).toMatchObject({ state: 'done' });
    await hub.commit('ann/steady', { ...(await version('2.0.0')), 'steady/moves.bin': { lfs: LARGE } });
    before = await daemon.traces();
  });
  afterAll(async () => {
    await daemon?.[Symbol.asyncDispose]();
    await hub?.[Symbol.asyncDispose]();
  });
  afterEach(() => hub.misbehave({}));

  const update = async (): Promise<Job> => (await daemon.post('/api/apps/installed/steady/update')).body;
  async function expectOldState(): Promise<void> {
    expect(await daemon.traces()).toEqual(before);
    expect(await daemon.children()).toEqual([]);
    expect(await daemon.installed()).toMatchObject([{ name: 'steady', version: '1.0.0', previous: null }]);
  }

  test.each<[string, Parameters<FakeHub['misbehave']>[0], string]>([
    ['its download breaks off', { stopAfterBytes: 100_000, only: /^\/large-files/ }, 'network'],
    ['the hub answers with other bytes', { garbage: true, only: /^\/large-files/ }, 'hub'],
    ['the hub answers with a web page', { garbage: true, only: /^\/api\// }, 'hub'],
    ['the hub is broken for good', { status: 500, retryAfterS: 0 }, 'hub'],
    ['the hub wants to be left alone for an hour', { status: 429, retryAfterS: 3_600 }, 'hub'],
    ['the hub is out of order in the middle', { status: 503, retryAfterS: 0, only: /^\/large-files/ }, 'hub'],
    ['the hub cuts off its answers', { stopAfterBytes: 20, only: /\/tree\// }, 'network'],
  ])('fails when %s', async (_, how, reason) => {
    hub.misbehave(how);
    const { id } = await update();
    expect(refusal(await daemon.jobEnd(id))).toEqual({ state: 'failed', reason });
    await expectOldState();
  });

  test('that is slow reports its bytes and rate, and leaves nothing when it is cancelled', async () => {
    hub.misbehave({ bytesPerSecond: 50_000, only: /^\/large-files/ });
    const { id } = await update();
    await vi.waitFor(async () => {
      const { transfer } = await jobOf(daemon, id);
      expect(transfer).toMatchObject({ totalBytes: expect.any(Number), stalled: false });
      expect(transfer?.totalBytes).toBeGreaterThan(LARGE.length);
      expect(transfer?.doneBytes).toBeGreaterThan(10_000);
      expect(transfer?.bytesPerSecond).toBeGreaterThan(5_000);
    });
    await daemon.post(`/api/jobs/${id}/cancel`);
    expect(await daemon.jobEnd(id)).toMatchObject({ state: 'cancelled', failure: null, transfer: null });
    await expectOldState();
  });

  test('that stalls says so, and leaves nothing when it is cancelled', async () => {
    hub.misbehave({ hangAfterBytes: 100_000, only: /^\/large-files/ });
    const { id } = await update();
    const stuck = { doneBytes: expect.any(Number), bytesPerSecond: 0, stalled: true };
    await vi.waitFor(async () => expect((await jobOf(daemon, id)).transfer).toMatchObject(stuck));
    await daemon.post(`/api/jobs/${id}/cancel`);
    expect(await daemon.jobEnd(id)).toMatchObject({ state: 'cancelled', failure: null });
    await expectOldState();
  });

  test('that failed keeps the old version, which starts', () => startsAndStops(daemon, 'steady'));

  test('waits for a hub that is busy for a moment', async () => {
    hub.misbehave({ status: 429, retryAfterS: 1 });
    const requestsBefore = hub.requests.length;
    const { id } = await update();
    await vi.waitFor(() => expect(hub.requests.length).toBeGreaterThan(requestsBefore), {
      timeout: 5_000,
      interval: 5,
    });
    hub.misbehave({});
    expect(await daemon.jobEnd(id)).toMatchObject({ state: 'done', failure: null });
    expect(await daemon.installed()).toMatchObject([{ version: '2.0.0', previous: { version: '1.0.0' } }]);
    before = await daemon.traces();
  });

  test('fails when the hub is lost during the download', async () => {
    await hub.commit('ann/steady', { 'steady/more.bin': { lfs: Buffer.alloc(400_000, 'more ') } });
    hub.misbehave({ bytesPerSecond: 50_000, only: /^\/large-files/ });
    const { id } = await update();
    await vi.waitFor(async () => expect((await jobOf(daemon, id)).transfer?.doneBytes).toBeGreaterThan(10_000));
    await hub[Symbol.asyncDispose]();
    expect(refusal(await daemon.jobEnd(id))).toEqual({ state: 'failed', reason: 'network' });
    expect(refusal(await daemon.jobEnd((await update()).id))).toEqual({ state: 'failed', reason: 'network' });
    expect(await daemon.traces()).toEqual(before);
    await startsAndStops(daemon, 'steady');
  });
});

test('an update from a git repository fails when its fetch is cut off', async () => {
  await using server = await startFakeHub();
  await using daemon = await startTestDaemon();
  const files = await filesOf(await write({ name: 'cloned' }));
  await server.addSpace({ id: 'ann/cloned', files });
  const url = `${server.url}/spaces/ann/cloned.git`;
  const { body } = await daemon.post('/api/apps/install', { url });
  expect(await daemon.jobEnd(body.id)).toMatchObject({ state: 'done' });
  const before = await daemon.traces();
  await server.commit('ann/cloned', { 'cloned/moves.bin': LARGE });
  for (const stopAfterBytes of [10, 2_000]) {
    server.misbehave({ stopAfterBytes, only: /git-upload-pack$/ });
    const update = await daemon.post('/api/apps/installed/cloned/update');
    expect(refusal(await daemon.jobEnd(update.body.id))).toEqual({ state: 'failed', reason: 'network' });
    expect(await daemon.traces()).toEqual(before);
    expect(await daemon.children()).toEqual([]);
  }
  await startsAndStops(daemon, 'cloned');
});

const run = (file: string, ...args: string[]) =>
  runCommand(file, args, { env: { PATH: process.env['PATH'] ?? '' }, deadlineMs: 10_000 });
const hasLimits = await run('prlimit', '--version').then(
  () => true,
  () => false,
);
if (!hasLimits) console.warn('SKIPPED: a limit on the size of files, because prlimit is not here');

test.skipIf(!hasLimits)('a limit on the size of files is reported like a full disk', async () => {
  const dataDir = await newDataDir();
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const daemon = await startDaemonProcess(dataDir);
  onTestFinished(() => daemon.kill());
  const client = daemonAt(daemon.url);
  expect(await install(client, await write({ name: 'steady' }))).toMatchObject({ state: 'done' });
  const before = await tracesIn(dataDir);
  await run('prlimit', '--pid', String(daemon.process.pid), '--fsize=8000000');
  for (const writeIt of [tooLarge, fillsTheDisk]) {
    expect(refusal(await install(client, await writeIt(folder)))).toEqual({
      state: 'failed',
      reason: 'disk-full',
    });
    expect(await tracesIn(dataDir)).toEqual(before);
    expect(await daemon.children()).toEqual([]);
  }
  expect(await client.call('listApps')).toMatchObject([{ name: 'steady', version: '1.0.0' }]);
});
