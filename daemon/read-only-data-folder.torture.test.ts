/** A data folder that becomes read-only under a running daemon: each operation that saves something says so, and nothing changes. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { InstalledApp } from './contract/apps/apps.ts';
import type { Operation } from './contract/operations/operation.ts';
import { type OperationName, operations } from './contract/operations/operations.ts';
import type { DashboardSession } from './contract/session.ts';
import { writeAppPackage } from './testing/apps/app-packages.ts';
import { type CheckedDaemon, type RequestOptions, startCheckedDaemon } from './testing/daemon/checked-daemon.ts';
import { reachedState } from './testing/daemon/endpoint-api.ts';
import { mayMount, type SmallDisk, smallDisk } from './testing/daemon/small-disk.ts';
import { fixtureApp } from './testing/daemon/test-daemon.ts';
import { type FakeHub, startFakeHub } from './testing/fake-hub.ts';
import { CATALOG_TOKEN, type FakeCatalog, startFakeCatalog } from './testing/models/fake-catalog.ts';
import { writeSmallCatalog } from './testing/models/small-catalog.ts';
import { minimalRequest } from './testing/models/some-endpoints.ts';

const mounts = await mayMount();
if (!mounts) console.warn('SKIPPED: a read-only disk, because no disk may be mounted here');

const APP = '/api/apps/installed/steady';
const KEPT = '/v2/endpoint/lab/kept';
const lab = { namespace: 'lab' };
const mail = { host: '127.0.0.1', port: 9, security: 'none', user: null, from: 'a@example.org', to: 'b@example.org' };

describe.skipIf(!mounts)('on a disk that can only be read', () => {
  let disk: SmallDisk;
  let sources: string;
  let hub: FakeHub;
  let catalog: FakeCatalog;
  let checked: CheckedDaemon;
  let fileId = '';
  let ownAppId = '';
  let noticeId = '';
  let request: object;
  let unseenRun: string;
  /** Signed-in browsers. */
  let browsers: readonly { readonly cookie: string; readonly id: string }[];
  let before: unknown;
  let makeWritable: () => Promise<void>;
  const logged = vi.spyOn(process.stderr, 'write').mockImplementation(() => true); // what could not be saved

  const ask: CheckedDaemon['ask'] = (...what) => checked.ask(...what);
  const done = async (method: string, path: string, options?: RequestOptions) => {
    const { status, body } = await ask(method, path, options);
    expect({ method, path, status, body }).toMatchObject({ status: 200 });
    return body;
  };
  async function signIn(): Promise<{ cookie: string; id: string }> {
    const { headers } = await ask('PUT', '/api/session', { body: { token: await checked.newToken() } });
    const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? expect.fail('no cookie');
    const sessions: DashboardSession[] = (await ask('GET', '/api/sessions', { token: null, headers: { cookie } })).body;
    return { cookie, id: sessions.find(({ isCurrent }) => isCurrent)?.id ?? expect.fail('no session') };
  }
  const needs = '\n[tool.robot.needs]\nchat = { task = "text-generation", optional = true }\n';
  const packageOf = (version: string) =>
    writeAppPackage(join(sources, 'steady'), { name: 'steady', version, pyproject: (text) => text + needs });
  async function state() {
    const apps: InstalledApp[] = await done('GET', '/api/apps/list');
    const { items } = await done('GET', '/v2/endpoint/lab');
    return {
      apps: apps.map(({ name, version, pinned }) => ({ name, version, pinned })),
      variables: await done('GET', `${APP}/variables`),
      endpoints: items.map(
        ({ name, status }: { name: string; status: { state: string } }) => `${name} ${status.state}`,
      ),
      files: await done('GET', '/api/model-files'),
      hub: await done('GET', '/api/hub'),
      catalog: (await done('GET', '/api/catalog-source')).kind,
      startupApp: await done('GET', '/api/apps/startup-app'),
      ownApps: (await done('GET', '/api/apps/own')).apps,
      created: await readdir(sources),
      notices: await done('GET', '/api/notifications'),
      mail: await done('GET', '/api/mail'),
      traces: await checked.daemon.traces(),
    };
  }

  beforeAll(async () => {
    disk = (await smallDisk(64)) as SmallDisk;
    sources = await mkdtemp(join(tmpdir(), 'robot-desktop-read-only-'));
    [hub, catalog] = await Promise.all([startFakeHub(), startFakeCatalog()]);
    hub.addToken('hf_of_bob', { name: 'bob', role: 'write' });
    const folder = join(disk.dataDir, 'models', 'ada--tiny', '0'.repeat(40));
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'tiny.gguf'), 'GGUF');
    const record = { repository: 'ada/tiny', revisions: {}, commits: { ['0'.repeat(40)]: [] }, used: {} };
    await writeFile(join(folder, '..', 'repository.json'), JSON.stringify(record));
    const catalogFile = await writeSmallCatalog(sources);
    checked = await startCheckedDaemon({ dataDir: disk.dataDir, catalogFile, hubUrl: hub.url });
    const { daemon } = checked;
    for (const version of ['1.0.0', '1.0.1']) {
      expect(await daemon.install(await packageOf(version))).toMatchObject({ state: 'done' });
    }
    await done('PUT', `${APP}/variables/KEY`, { body: { value: 'first', secret: true } });
    const deploy = { ...lab, config: { name: 'kept' } };
    await done('POST', '/api/v1/catalog/model/ada/Tiny-GGUF/deploy', { body: deploy });
    await reachedState(checked, KEPT, 'failed'); // nothing runs it here: it changes no more by itself
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
    browsers = [await signIn(), await signIn(), await signIn()];
    ownAppId = (await done('POST', '/api/apps/own', { body: { folder: sources } })).id;
    expect(await daemon.install(fixtureApp('crashes'))).toMatchObject({ state: 'done' });
    await done('POST', '/api/apps/start-app/crashes');
    [
      {
        run: { runId: unseenRun },
      },
    ] = await vi.waitFor(async () => {
      const crashes = await done('GET', '/api/apps/crashes');
      if (crashes.length === 0) throw new Error('the app has not crashed yet');
      return crashes;
    });
    await vi.waitFor(async () => expect((await daemon.slot()).state).toBe('free'));
    before = await state();
    makeWritable = await disk.makeReadOnly();
  });
  afterAll(async () => {
    await makeWritable?.();
    await checked?.[Symbol.asyncDispose]();
    for (const service of [hub, catalog, disk]) await service?.[Symbol.asyncDispose]();
    if (sources) await rm(sources, { recursive: true, force: true });
    logged.mockRestore();
  });

  const calls: Partial<Record<OperationName, () => readonly [string, string, RequestOptions?]>> = {
    startApp: () => ['POST', '/api/apps/start-app/steady'],
    createOwnApp: () => ['POST', '/api/apps/own/create', { body: { name: 'mine', destination: sources } }],
    addOwnApp: () => ['POST', '/api/apps/own', { body: { folder: join(sources, 'steady') } }],
    forgetOwnApp: () => ['DELETE', `/api/apps/own/${ownAppId}`],
    setStartupApp: () => ['PUT', '/api/apps/startup-app', { body: { startupApp: 'steady' } }],
    rollBackApp: () => ['POST', `${APP}/rollback`],
    pinApp: () => ['PUT', `${APP}/pin`, { body: { pinned: true } }],
    removeApp: () => ['DELETE', APP],
    deployCatalogModel: () => ['POST', '/api/v1/catalog/model/ada/Tiny-GGUF/deploy', { body: lab }],
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
    removeAppVariable: () => ['DELETE', `${APP}/variables/KEY`],
    markCrashSeen: () => ['POST', `/api/apps/runs/${unseenRun}/seen`],
    signOut: () => ['DELETE', '/api/session', { token: null, headers: { cookie: browsers[0]?.cookie ?? '' } }],
    markNoticesSeen: () => ['POST', '/api/notifications/seen'],
    markNoticeSeen: () => ['POST', `/api/notifications/${noticeId}/seen`],
    clearNotices: () => ['DELETE', '/api/notifications'],
    setMailSettings: () => ['PUT', '/api/mail', { body: { ...mail, to: 'c@example.org' } }],
    setVolume: () => ['POST', '/api/volume/set', { body: { volume: 40 } }],
    removeMailSettings: () => ['DELETE', '/api/mail'],
    endSession: () => ['DELETE', `/api/sessions/${browsers[1]?.id}`],
    endOtherSessions: () => ['DELETE', '/api/sessions'],
  };
  /** Why an operation that saves something is not called here. */
  const elsewhere: Partial<Record<OperationName, string>> = {
    scaleEndpointToZero: 'nothing runs here that could sleep',
    useShippedCatalog: 'no other catalog is chosen, so that nothing is to be deleted',
    restartCurrentApp: 'no app runs',
  };

  test('every operation that saves something is among these', () => {
    const saving = Object.entries<Operation>(operations).filter(([, { saves }]) => saves);
    expect(Object.keys({ ...calls, ...elsewhere }).sort()).toEqual(saving.map(([name]) => name).sort());
  });

  test.each(Object.keys(calls) as OperationName[])('%s says so', async (name) => {
    const [method, path, options] = calls[name]?.() ?? expect.fail();
    const { status, body } = await ask(method, path, options);
    expect({ status, body }).toEqual({
      status: 503,
      body: { error: expect.stringContaining(`The disk of ${disk.dataDir}`), code: 'data-folder-read-only' },
    });
    expect(body.error).toMatch(/ can only be read[.] Make it writable, then try again[.]$/);
    expect(await state()).toEqual(before);
  });

  test.each([
    ['an install', async () => ask('POST', '/api/apps/install', { body: { url: await packageOf('1.0.2') } })],
    ['an update', () => ask('POST', `${APP}/update`)],
    ['the download of llama-server', () => ask('POST', '/api/runtimes/llama-server/install')],
  ])('%s fails with the same code and sentence', async (_, begin) => {
    const { body } = await begin();
    expect(await checked.daemon.jobEnd(body.id)).toMatchObject({
      state: 'failed',
      failure: {
        reason: 'data-folder-read-only',
        message: expect.stringMatching(new RegExp(`^The disk of ${disk.dataDir}\\S* can only be read\\.$`)),
        action: 'Make it writable, then try again.',
      },
    });
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
