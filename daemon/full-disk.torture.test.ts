/**
 * A full disk, and one that fills: each change is made whole or refused with the sentence of a full disk, what stood before
 * stands after, and a daemon starts on it. `TORTURE_PAGES` tries every level from 0 to that many free pages, and every level at
 * which an install ends on its way, instead of seeded ones.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Answer } from './testing/daemon/checked-daemon.ts';
import { MODEL, RECIPE } from './testing/daemon/endpoint-api.ts';
import { rawRequests } from './testing/daemon/raw-requests.ts';
import { runCli } from './testing/daemon/run-cli.ts';
import { fixtureApp, startTestDaemon } from './testing/daemon/test-daemon.ts';
import { APP, DaemonOnSmallDisk, KEPT } from './testing/disks/daemon-on-small-disk.ts';
import { fillsTheDisk, tooLarge } from './testing/disks/large-apps.ts';
import { APP_PAGES, changes, DISK_MB, levels, withInstalled } from './testing/disks/levels.ts';
import { mayMount, PAGE, smallDisk } from './testing/disks/small-disk.ts';
import { diskToStartOn, startOn } from './testing/disks/start-on-disk.ts';
import { type FakeHub, startFakeHub } from './testing/fake-hub.ts';
import { modelFilesIn } from './testing/models/model-files-in.ts';
import { tinyGguf } from './testing/models/tiny-gguf.ts';
import { seededRandom } from './testing/seeded-random.ts';

const { TORTURE_PAGES, TORTURE_SEED = '20261122' } = process.env;
const LIMIT_MS = TORTURE_PAGES === undefined ? 120_000 : 24 * 60 * 60_000;
const MB = 1_000_000;

const mounts = await mayMount();
if (!mounts) console.warn('SKIPPED: a full disk, because no disk may be mounted here');

describe.skipIf(!mounts)('a disk that is full, or fills, under a daemon', () => {
  let hub: FakeHub;
  let on: DaemonOnSmallDisk;

  beforeAll(async () => {
    hub = await startFakeHub();
    on = await DaemonOnSmallDisk.begin(
      DISK_MB,
      { hubUrl: hub.url, wakeUpOnStart: true },
      randomBytes(APP_PAGES * PAGE),
    );
    await on.done('PUT', `${APP}/variables/ROOM`, { body: { value: 'kitchen', secret: false } });
    await vi.waitFor(async () => expect(await on.daemon.robot()).toMatchObject({ state: 'awake' }));
  });
  afterAll(async () => {
    for (const each of [on, hub]) await each?.[Symbol.asyncDispose]();
  });
  afterEach(() => on.disk.free());

  /** Expects a change that was made, or refused for the disk. @returns whether it was made */
  function isMade({ status, body }: Answer): boolean {
    if (status === 200) return true;
    expect({ status, body }).toEqual({ status: 507, body: { error: expect.any(String), code: 'disk-full' } });
    expect(body.error).toContain(`The disk of ${on.disk.dataDir}`);
    expect(body.error).toMatch(/is full[.] Free some space on it .*, then try again[.]$/);
    return false;
  }
  const fullDisk = { reason: 'disk-full', message: expect.stringMatching(/[Tt]he disk of /) };
  /** @returns whether the app was installed */
  async function isInstalled(name: string, version: string): Promise<boolean> {
    const { state: end, failure } = await on.daemon.install(await on.packageOf(name, version));
    if (end === 'done') return true;
    expect({ end, failure }).toMatchObject({ end: 'failed', failure: fullDisk });
    return false;
  }

  const jobOf = async (request: Parameters<DaemonOnSmallDisk['ask']>) => {
    const { body } = await on.ask(...request);
    return (await on.daemon.jobEnd(body.id)).failure;
  };
  test.each([
    ['a package that is copied', async () => (await on.daemon.install(await tooLarge(on.sources))).failure],
    ['the build of a package', async () => (await on.daemon.install(await fillsTheDisk(on.sources))).failure],
    [
      'a Space, which is not downloaded,',
      async () => {
        const files = { 'pyproject.toml': '[project]\n', 'moves.bin': { lfs: Buffer.alloc(40 * MB) } };
        await hub.addSpace({ id: 'ann/large', files });
        const failure = await jobOf(['POST', '/api/apps/install', { body: { url: `${hub.url}/spaces/ann/large` } }]);
        expect(failure?.message).toContain('about 80 MB');
        return failure;
      },
    ],
    [
      'the model of an endpoint, which is not downloaded,',
      async () => {
        const files = { 'tiny-q4.gguf': { lfs: Buffer.concat([tinyGguf(), Buffer.alloc(80 * MB)]) } };
        await hub.addModel({ id: 'ada/Tiny-GGUF', files });
        await on.done('POST', RECIPE, { body: { namespace: 'lab', config: { name: 'large' } } });
        const failure = await vi.waitFor(async () => {
          const { endpoints } = await on.done('GET', '/api/endpoints?name=large');
          return endpoints[0].report.failure ?? expect.fail('it has not failed yet');
        });
        await on.done('DELETE', '/v2/endpoint/lab/large');
        return failure;
      },
    ],
  ])('%s needs more space than there is', async (_, failed) => {
    const before = { state: await on.state(), traces: await on.daemon.traces() };
    const asked = hub.requests.length;
    expect(await failed()).toMatchObject(fullDisk);
    expect(hub.requests.slice(asked).filter(({ path }) => path.startsWith('/large-files/'))).toEqual([]);
    expect({ state: await on.state(), traces: await on.daemon.traces() }).toEqual(before);
    await on.isWhole();
  });

  test(`every change is whole or refused, with TORTURE_SEED=${TORTURE_SEED}`, { timeout: LIMIT_MS }, async () => {
    const random = seededRandom(Number(TORTURE_SEED));
    const made = { changes: 0, refusals: 0 };
    let expected = await on.state();
    const count = (isDone: boolean) => {
      made[isDone ? 'changes' : 'refusals'] += 1;
      return isDone;
    };
    for (const [turn, { pages, starts, installs }] of levels(TORTURE_PAGES, random).entries()) {
      await on.disk.fill(pages * PAGE);
      const value = 'x'.repeat(Math.floor(random() * 3 * PAGE));
      for (const { path, body, becomes } of changes(turn, value)) {
        if (count(isMade(await on.ask('PUT', path, { body })))) expected = becomes?.(expected) ?? expected;
      }
      const name = `level-${turn}`;
      if (count(isMade(await on.ask('POST', MODEL, { body: { namespace: 'lab', config: { name } } })))) {
        count(isMade(await on.ask('POST', `/v2/endpoint/lab/${name}/pause`)));
        await on.done('DELETE', `/v2/endpoint/lab/${name}`); // takes no space
      }
      if (count(isMade(await on.ask('POST', `${APP}/reset`)))) {
        if (!count(isMade(await on.ask('POST', `${APP}/reset/undo`)))) {
          await on.disk.free();
          await on.done('POST', `${APP}/reset/undo`);
          await on.disk.fill(pages * PAGE);
        }
      }
      if (starts && count(isMade(await on.ask('POST', '/api/apps/start-app/steady')))) {
        await on.done('POST', '/api/apps/stop-current-app');
      }
      if (installs) {
        const app = turn % 2 === 0 ? 'other' : 'steady';
        if (app === 'steady') await on.ask('PUT', `${APP}/pin`, { body: { pinned: false } });
        expected = { ...expected, apps: (await on.state()).apps };
        const isPinned = expected.apps.find((each) => each.name === app)?.pinned;
        const version = `1.0.${turn + 1}`;
        if (!isPinned && count(await isInstalled(app, version))) expected = withInstalled(expected, app, version);
      }
      expect(await on.state()).toEqual(expected);
      await on.isWhole();
    }
    expect(made.changes).toBeGreaterThan(20);
    expect(made.refusals).toBeGreaterThan(20);

    // All of it is on the disk.
    await on.disk.free();
    await on.done('PUT', '/api/apps/startup-app', { body: { startupApp: null } });
    expected = { ...expected, startupApp: null };
    await on.disk.fill();
    await on.daemon.stop();
    await on.disk.free();
    await on.open();
    expect(await on.state()).toEqual(expected);
    await on.done('POST', '/api/apps/start-app/steady');
    await on.done('POST', '/api/apps/stop-current-app');
  });

  test('what frees space takes none: endpoints, variables and apps can be removed', async () => {
    await on.done('PUT', '/api/apps/startup-app', { body: { startupApp: 'steady' } });
    await rm(join(on.disk.dataDir, 'work'), { recursive: true, force: true });
    await on.disk.fill();
    await on.done('DELETE', KEPT);
    // Other file systems need a page for a folder, which this one does not: it has no room for another file or folder.
    const { files, ffree } = await statfs(on.disk.dir);
    await execa('mount', ['-o', `remount,nr_inodes=${files - ffree}`, on.disk.dir]);
    await expect(mkdir(join(on.disk.dataDir, 'work'))).rejects.toMatchObject({ code: 'ENOSPC' });
    await on.done('DELETE', APP);
    const { apps, startupApp } = await on.state();
    expect(apps.map(({ name }) => name)).not.toContain('steady');
    expect(startupApp).toBeNull();
  });
});

test.skipIf(!mounts)('a download on a disk that fills keeps what is there, and continues', async () => {
  await using hub = await startFakeHub();
  const large = Buffer.concat([tinyGguf(), Buffer.alloc(6 * MB, 7)]); // bytes after the tensors do no harm
  await hub.addModel({ id: 'ada/large', files: { 'large.gguf': { lfs: large } } });
  await using disk = (await smallDisk(10)) ?? expect.fail('no disk');
  const folder = join(disk.dir, 'models');
  const wanted = { repository: 'ada/large', revision: null, model: 'large.gguf', mmproj: null, draft: null };
  const options = { signal: new AbortController().signal, onProgress: () => {} };
  const transfers = () => hub.requests.filter(({ path }) => path.startsWith('/large-files/'));

  const models = modelFilesIn(folder, hub.url);
  hub.misbehave({ bytesPerSecond: 4 * MB, only: /^\/large-files/ });
  const filling = expect(models.ensure(wanted, options)).rejects.toMatchObject({ code: 'disk-full' });
  await vi.waitFor(() => expect(transfers()).not.toEqual([]), { interval: 10 });
  await disk.fill(2 * MB);
  await filling;
  const [partial] = await models.list();
  expect(partial).toMatchObject({ path: 'large.gguf', state: 'partial', totalBytes: large.length });
  expect(partial?.bytes).toBeGreaterThan(MB);

  await disk.free();
  hub.misbehave({});
  const { modelPath, commit } = await modelFilesIn(folder, hub.url).ensure(wanted, options);
  expect((await readFile(modelPath)).equals(large)).toBe(true);
  expect(transfers().at(-1)?.range).toBe(`bytes=${partial?.bytes}-${large.length - 1}`);
  expect(await readdir(join(folder, 'ada--large', commit))).toEqual(['large.gguf']);
});

describe.skipIf(!mounts)('a daemon that starts on a full disk', () => {
  test('motion, the dashboard and a stop work, an app start is refused, and room is noticed', async () => {
    const disk = await diskToStartOn(40);
    await using before = await startTestDaemon({ dataDir: disk.dataDir });
    expect(await before.install(fixtureApp('polite'))).toMatchObject({ state: 'done' });
    await before.stop();
    const files = await readdir(disk.dataDir);
    await disk.fill();
    const daemon = await startOn(disk);
    const { get, post } = rawRequests(daemon.url);
    const storageProblem = {
      reason: `The disk of ${disk.dataDir} is full.`,
      action: expect.stringMatching(/Free some space/),
    };
    expect((await get('/api/daemon/status')).body).toMatchObject({ storageProblem });
    const problemText = 'Nothing can be saved, and no app can start: The disk of';
    await vi.waitFor(() => expect(daemon.said()).toContain(problemText));
    expect((await fetch(`${daemon.url}/`)).status).toBe(200);
    const refusal = { code: 'disk-full', error: expect.stringMatching(/^The disk of .* is full[.] Free/) };
    expect(await post('/api/apps/start-app/polite')).toMatchObject({ status: 507, body: refusal });
    expect((await get('/api/apps/slot')).body).toMatchObject({ state: 'free' });
    expect((await post('/api/robot/wake-up')).status).toBeLessThan(300);
    await vi.waitFor(async () => expect((await get('/api/robot')).body).toMatchObject({ robot: { state: 'awake' } }));
    expect((await get('/api/apps/list')).body).toMatchObject([{ name: 'polite' }]);

    // Another daemon is refused, and the commands know this one.
    const inUse = `Another daemon is using the data folder ${disk.dataDir} (process ${daemon.process.pid}`;
    const another = await runCli('--sim', '--data-dir', disk.dataDir);
    expect(another).toMatchObject({ code: 1, text: expect.stringContaining(inUse) });
    expect((await runCli('status', '--data-dir', disk.dataDir)).text).toContain(problemText);

    await disk.free();
    await vi.waitFor(async () => expect((await get('/api/daemon/status')).body).not.toHaveProperty('storageProblem'));
    expect((await post('/api/apps/start-app/polite')).status).toBeLessThan(300);
    expect(await runCli('stop', '--data-dir', disk.dataDir)).toMatchObject({ code: 0 });
    expect(daemon.said()).not.toMatch(/^\s+at /m);
    expect((await readdir(disk.dataDir)).filter((name) => !files.includes(name))).toEqual(['runs', 'runs.json']);
  });

  test.each([
    ['is killed and leaves nothing in the way of the next one', 'data', true],
    ['can be stopped where it never had room for its data folder', 'new', false],
  ])('%s', async (_, folder, isKilled) => {
    const disk = await diskToStartOn(1);
    const dataDir = join(disk.dir, folder);
    await disk.fill();
    if (isKilled) await (await startOn(disk, dataDir)).kill();
    const daemon = await startOn(disk, dataDir);
    const { body } = await rawRequests(daemon.url).get('/api/daemon/status');
    expect(body).toMatchObject({ storageProblem: { reason: expect.stringContaining('is full') } });
    expect((await runCli('status', '--data-dir', dataDir)).text).toContain(`${daemon.url}/`);
    const stop = await runCli('stop', '--data-dir', dataDir);
    expect(stop).toMatchObject({ code: 0, text: expect.stringContaining('Stopped.') });
    expect(await daemon.exited).toBe(0);
    expect((await runCli('status', '--data-dir', dataDir)).text).toContain('No robot daemon runs');
  });
});
