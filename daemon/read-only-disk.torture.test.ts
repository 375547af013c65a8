/** A disk that can only be read: each operation that saves something says so, nothing changes, and a daemon starts on it. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Operation } from './contract/operations/operation.ts';
import { type OperationName, operations } from './contract/operations/operations.ts';
import type { DashboardSession } from './contract/session.ts';
import type { RequestOptions } from './testing/daemon/checked-daemon.ts';
import { MODEL } from './testing/daemon/endpoint-api.ts';
import { rawRequests } from './testing/daemon/raw-requests.ts';
import { runCli } from './testing/daemon/run-cli.ts';
import { fixtureApp } from './testing/daemon/test-daemon.ts';
import { APP, DaemonOnSmallDisk, KEPT } from './testing/disks/daemon-on-small-disk.ts';
import { mayMount } from './testing/disks/small-disk.ts';
import { diskToStartOn, startOn } from './testing/disks/start-on-disk.ts';
import { type FakeHub, startFakeHub } from './testing/fake-hub.ts';
import { CATALOG_TOKEN, type FakeCatalog, startFakeCatalog } from './testing/models/fake-catalog.ts';
import { minimalRequest } from './testing/models/some-endpoints.ts';

const mounts = await mayMount();
if (!mounts) console.warn('SKIPPED: a read-only disk, because no disk may be mounted here');

const lab = { namespace: 'lab' };
const mail = { host: '127.0.0.1', port: 9, security: 'none', user: null, from: 'a@example.org', to: 'b@example.org' };

describe.skipIf(!mounts)('a disk that can only be read from now on', () => {
  let on: DaemonOnSmallDisk;
  let hub: FakeHub;
  let catalog: FakeCatalog;
  let fileId = '';
  let ownAppId = '';
  let noticeId = '';
  let tokenId = '';
  let request: object;
  let unseenRun: string;
  /** Signed-in browsers. */
  let browsers: readonly { readonly cookie: string; readonly id: string }[];
  let before: unknown;
  let makeWritable: () => Promise<void>;

  const done: DaemonOnSmallDisk['done'] = (...what) => on.done(...what);
  async function signIn(): Promise<{ cookie: string; id: string }> {
    const token = await on.checked.newToken();
    const { headers } = await on.ask('PUT', '/api/session', { body: { token } });
    const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? expect.fail('no cookie');
    const sessions: DashboardSession[] = await done('GET', '/api/sessions', { token: null, headers: { cookie } });
    return { cookie, id: sessions.find(({ isCurrent }) => isCurrent)?.id ?? expect.fail('no session') };
  }
  async function state() {
    return {
      ...(await on.state()),
      files: await done('GET', '/api/model-files'),
      hub: await done('GET', '/api/hub'),
      catalog: (await done('GET', '/api/catalog-source')).kind,
      ownApps: (await done('GET', '/api/apps/own')).apps,
      created: await readdir(on.sources),
      notices: await done('GET', '/api/notifications'),
      mail: await done('GET', '/api/mail'),
      traces: await on.daemon.traces(),
    };
  }

  beforeAll(async () => {
    [hub, catalog] = await Promise.all([startFakeHub(), startFakeCatalog()]);
    hub.addToken('hf_of_bob', { name: 'bob', role: 'write' });
    await hub.addModel({ id: 'somebody/a-model', files: { 'tiny.gguf': 'GGUF' } });
    on = await DaemonOnSmallDisk.begin(64, { hubUrl: hub.url });
    const folder = join(on.disk.dataDir, 'models', 'ada--tiny', '0'.repeat(40));
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'tiny.gguf'), 'GGUF');
    const record = { repository: 'ada/tiny', revisions: {}, commits: { ['0'.repeat(40)]: [] }, used: {} };
    await writeFile(join(folder, '..', 'repository.json'), JSON.stringify(record));
    for (const app of [await on.packageOf('steady', '1.0.1'), fixtureApp('crashes')]) {
      expect(await on.daemon.install(app)).toMatchObject({ state: 'done' });
    }
    await done('PUT', '/api/apps/installed/crashes/variables/MOOD', { body: { value: 'merry', secret: false } });
    await done('POST', '/api/apps/installed/crashes/reset');
    await done('PUT', '/api/mail', { body: mail });
    const { notices } = await done('GET', '/api/notifications');
    noticeId = notices[0].id; // the endpoint that failed
    await done('PUT', '/api/hub/token', { body: { token: 'hf_of_bob' } });
    const { vendors } = await done('GET', '/v2/provider/lab');
    const [region] = vendors.find(({ name }: { name: string }) => name === 'local').regions;
    const { instanceSize } = region.computes.find(({ id }: { id: string }) => /-host-x/.test(id));
    const { compute, ...rest } = minimalRequest('chat');
    request = { ...rest, compute: { ...compute, instanceSize } };
    [{ id: fileId }] = await done('GET', '/api/model-files');
    browsers = [await signIn(), await signIn(), await signIn(), await signIn()];
    tokenId = (await done('POST', '/api/tokens', { ...ownUser(), body: { scopes: ['deploy'] } })).token.id;
    ownAppId = (await done('POST', '/api/apps/own', { body: { folder: on.sources } })).id;
    await done('POST', '/api/apps/start-app/crashes');
    unseenRun = await vi.waitFor(async () => {
      const [crash] = await done('GET', '/api/apps/crashes');
      return crash?.run.runId ?? expect.fail('the app has not crashed yet');
    });
    await vi.waitFor(async () => expect((await on.daemon.slot()).state).toBe('free'));
    before = await state();
    makeWritable = await on.disk.makeReadOnly();
  });
  afterAll(async () => {
    await makeWritable?.();
    for (const each of [on, hub, catalog]) await each?.[Symbol.asyncDispose]();
  });

  const asBrowser = (index: number): RequestOptions => ({
    token: null,
    headers: { cookie: browsers[index]?.cookie ?? '' },
  });
  /** The machine's own user, whom no token has let in. */
  const ownUser = (): RequestOptions => {
    const { name, value } = on.daemon.newSessionCookie();
    return { token: null, headers: { cookie: `${name}=${value}` } };
  };
  const calls: Partial<Record<OperationName, () => readonly [string, string, RequestOptions?]>> = {
    startApp: () => ['POST', '/api/apps/start-app/steady'],
    createOwnApp: () => ['POST', '/api/apps/own/create', { body: { name: 'mine', destination: on.sources } }],
    addOwnApp: () => ['POST', '/api/apps/own', { body: { folder: join(on.sources, 'steady') } }],
    forgetOwnApp: () => ['DELETE', `/api/apps/own/${ownAppId}`],
    setStartupApp: () => ['PUT', '/api/apps/startup-app', { body: { startupApp: 'steady' } }],
    rollBackApp: () => ['POST', `${APP}/rollback`],
    pinApp: () => ['PUT', `${APP}/pin`, { body: { pinned: true } }],
    removeApp: () => ['DELETE', APP],
    deployCatalogModel: () => ['POST', MODEL, { body: lab }],
    deployCatalogRecipe: () => ['POST', '/api/v1/catalog/recipe/tiny-q4/deploy', { body: lab }],
    deployCatalogRepository: () => [
      ...(['POST', '/api/catalog/deploy', { body: { ...lab, repoId: 'ada/Tiny-GGUF' } }] as const),
    ],
    createEndpoint: () => ['POST', '/v2/endpoint/lab', { body: request }],
    updateEndpoint: () => ['PUT', KEPT, { body: { model: { secrets: { LLAMA_KEY: 'new' } } } }],
    pauseEndpoint: () => ['POST', `${KEPT}/pause`],
    resumeEndpoint: () => ['POST', `${KEPT}/resume`],
    deleteEndpoint: () => ['DELETE', KEPT],
    removeModelFile: () => ['DELETE', `/api/model-files/${fileId}`],
    useRemoteCatalog: () => ['PUT', '/api/catalog-source', { body: { url: catalog.base, token: CATALOG_TOKEN } }],
    signInToHub: () => ['PUT', '/api/hub/token', { body: { token: 'hf_of_bob' } }],
    signOutOfHub: () => ['DELETE', '/api/hub/token'],
    setAppVariable: () => ['PUT', `${APP}/variables/KEY`, { body: { value: 'new', secret: true } }],
    assignEndpoint: () => ['PUT', `${APP}/needs/chat`, { body: { endpoint: null } }],
    resetApp: () => ['POST', `${APP}/reset`],
    undoAppReset: () => ['POST', '/api/apps/installed/crashes/reset/undo'],
    removeAppVariable: () => ['DELETE', `${APP}/variables/KEY`],
    markCrashSeen: () => ['POST', `/api/apps/runs/${unseenRun}/seen`],
    signOut: () => ['DELETE', '/api/session', asBrowser(0)],
    markNoticesSeen: () => ['POST', '/api/notifications/seen'],
    markNoticeSeen: () => ['POST', `/api/notifications/${noticeId}/seen`],
    clearNotices: () => ['DELETE', '/api/notifications'],
    setMailSettings: () => ['PUT', '/api/mail', { body: { ...mail, to: 'c@example.org' } }],
    switchGraphicsCards: () => ['PUT', '/api/graphics-cards', { body: { isOn: false } }],
    tryGraphicsCardsAgain: () => ['POST', '/api/graphics-cards/try-again'],
    setVolume: () => ['POST', '/api/volume/set', { body: { volume: 40 } }],
    removeMailSettings: () => ['DELETE', '/api/mail'],
    endSession: () => ['DELETE', `/api/sessions/${browsers[1]?.id}`, asBrowser(3)],
    endOtherSessions: () => ['DELETE', '/api/sessions', asBrowser(3)],
    createToken: () => ['POST', '/api/tokens', { ...ownUser(), body: { scopes: ['deploy'] } }],
    revokeToken: () => ['DELETE', `/api/tokens/${tokenId}`, ownUser()],
  };
  /** Why an operation that saves something is not called here. */
  const elsewhere: Partial<Record<OperationName, string>> = {
    scaleEndpointToZero: 'nothing runs here that could sleep',
    useShippedCatalog: 'no other catalog is chosen, so that nothing is to be deleted',
    restartCurrentApp: 'no app runs',
    changeDesktop: 'this daemon has no window',
  };

  test('every operation that saves something is among these', () => {
    const saving = Object.entries<Operation>(operations).filter(([, { saves }]) => saves);
    expect(Object.keys({ ...calls, ...elsewhere }).sort()).toEqual(saving.map(([name]) => name).sort());
  });

  test.each(Object.keys(calls) as OperationName[])('%s says so', async (name) => {
    const [method, path, options] = calls[name]?.() ?? expect.fail();
    const { status, body } = await on.ask(method, path, options);
    expect({ status, body }).toEqual({
      status: 503,
      body: { error: expect.stringContaining(`The disk of ${on.disk.dataDir}`), code: 'data-folder-read-only' },
    });
    expect(body.error).toMatch(/ can only be read[.] Make it writable, then try again[.]$/);
    expect(await state()).toEqual(before);
  });

  test.each([
    [
      'an install',
      async () => on.ask('POST', '/api/apps/install', { body: { url: await on.packageOf('steady', '1.0.2') } }),
    ],
    ['an update', () => on.ask('POST', `${APP}/update`)],
    ['the download of llama-server', () => on.ask('POST', '/api/runtimes/llama-server/install')],
  ])('%s fails with the same code and sentence', async (_, begin) => {
    const { body } = await begin();
    expect(await on.daemon.jobEnd(body.id)).toMatchObject({
      state: 'failed',
      failure: {
        reason: 'data-folder-read-only',
        message: expect.stringMatching(new RegExp(`^The disk of ${on.disk.dataDir}\\S* can only be read\\.$`)),
        action: 'Make it writable, then try again.',
      },
    });
    expect(await state()).toEqual(before);
  });

  test('the installation is checked, and a report of the problem can be made', async () => {
    const { body } = await on.ask('POST', '/api/doctor/check');
    expect(await on.daemon.jobEnd(body.id)).toMatchObject({ state: 'done' });
    const { parts } = await done('GET', '/api/problem-report');
    const textOf = (wanted: string) => parts.find(({ id: part }: { id: string }) => part === wanted)?.text;
    expect(textOf('check')).toMatch(/^Checked at /);
    expect(textOf('system')).toMatch(/can only be read/);
    expect(await state()).toEqual(before);
  });

  test('once it can be written again, so can everything', async () => {
    await makeWritable();
    makeWritable = async () => {};
    await done('PUT', `${APP}/variables/KEY`, { body: { value: 'new', secret: true } });
    await done('POST', `${APP}/rollback`);
    await done('POST', `${KEPT}/pause`);
    await done('DELETE', KEPT);
    await done('DELETE', APP);
  });
});

test.skipIf(!mounts)('a second daemon is refused there, and once it can be written', async () => {
  const disk = await diskToStartOn(4);
  await execa('mount', ['-o', 'remount,ro', disk.dir]);
  const daemon = await startOn(disk);
  const status = async () => (await rawRequests(daemon.url).get('/api/daemon/status')).body;
  const reason = `The disk of ${disk.dataDir} can only be read.`;
  expect(await status()).toMatchObject({ storageProblem: { reason } });
  const another = { code: 1, text: expect.stringContaining(`process ${daemon.process.pid}, at ${daemon.url}`) };
  expect(await runCli('--sim', '--data-dir', disk.dataDir)).toMatchObject(another);
  daemon.process.kill('SIGSTOP'); // it cannot notice
  await execa('mount', ['-o', 'remount,rw', disk.dir]);
  expect(await runCli('--sim', '--data-dir', disk.dataDir)).toMatchObject({
    code: 1,
    text: expect.stringContaining('Another daemon is using'),
  });
  daemon.process.kill('SIGCONT');
  await vi.waitFor(async () => expect(await status()).not.toHaveProperty('storageProblem'));
  expect(await readdir(disk.dataDir)).toContain('daemon.json');
  expect(await runCli('--sim', '--data-dir', disk.dataDir)).toMatchObject(another);
  expect(await runCli('stop', '--data-dir', disk.dataDir)).toMatchObject({ code: 0 });
});
