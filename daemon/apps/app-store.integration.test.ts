/** The store over HTTP: the real daemon, with a fake hub that answers like the real one, or misbehaves. */
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { StoreAppDetail, StorePage } from '../contract/apps/store.ts';
import type { DaemonEvent } from '../contract/events.ts';
import { HubClient } from '../hub/hub-client.ts';
import { createLogger } from '../shared/logger.ts';
import { NO_HUB, newDataDir, startTestDaemon, type TestDaemon } from '../testing/daemon/test-daemon.ts';
import { type FakeHub, startFakeHub } from '../testing/fake-hub.ts';
import { movableClock } from '../testing/movable-clock.ts';
import { AppStore, type StoreTiming } from './app-store.ts';

const TOKEN = 'hf_of_ada';
const readme = (title: string) =>
  `---\ntitle: ${title}\nemoji: 💃\nshort_description: Moves to music.\ntags:\n  - robot_python_app\n---\n# ${title}\n\n    pip install it\n\u202eevil\n`;
const pyproject = `[project]
name = "dance-bot"
version = "1.4.0"
requires-python = ">=3.10"
dependencies = ["robot-sdk", "numpy"]
[project.entry-points.robot_apps]
dance = "dance.main:Dance"
[tool.robot.needs]
ear = { task = "automatic-speech-recognition", optional = true }
`;
const dance = {
  'README.md': readme('Dance'),
  'pyproject.toml': pyproject,
  'dance/__init__.py': '',
  'dance/main.py': 'class Dance: ...\nif __name__ == "__main__":\n    Dance()\n',
  'dance/model.bin': { lfs: Buffer.alloc(5_000_000) },
};

/** Of the hub, and of the stores without a daemon. */
const clock = movableClock();
let hub: FakeHub;
let dataDir: string;
beforeEach(async () => {
  hub = await startFakeHub(clock);
  dataDir = await newDataDir();
});
afterEach(async () => {
  await hub[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

const startDaemon = (hubUrl = hub.url) => startTestDaemon({ dataDir, hubUrl });
async function page(daemon: TestDaemon, query = ''): Promise<StorePage> {
  const { status, body } = await daemon.get(`/api/apps/store${query}`);
  expect(status).toBe(200);
  return body;
}
const idsOf = ({ apps }: StorePage) => apps.map(({ id }) => id);
const signOut = (daemon: TestDaemon) => daemon.call('signOutOfHub');

describe('the store of a daemon', () => {
  test('loads the apps of the hub at the first request: searched, sorted, page by page', async () => {
    for (const [name, likes] of [
      ['alpha', 3],
      ['beta', 9],
      ['gamma', 5],
    ] as const) {
      await hub.addSpace({ id: `ada/${name}`, files: { 'README.md': readme(name) }, likes });
    }
    await hub.addSpace({ id: 'ada/page', files: { 'README.md': '# a page' } });
    await using daemon = await startDaemon();
    expect(hub.requests).toEqual([]);
    const first = await page(daemon, '?limit=2');
    expect(first).toMatchObject({ matches: 3, page: 1, pages: 2 });
    expect(first.status).toMatchObject({ hub: hub.url, refreshing: false, problem: null, total: 3 });
    expect(first.apps[0]).toMatchObject({
      id: 'ada/beta',
      url: `${hub.url}/spaces/ada/beta`,
      title: 'beta',
      description: 'Moves to music.',
      emoji: '💃',
      author: 'ada',
      likes: 9,
      private: false,
    });
    expect(idsOf(first)).toEqual(['ada/beta', 'ada/gamma']);
    expect(idsOf(await page(daemon, '?limit=2&page=2'))).toEqual(['ada/alpha']);
    expect(idsOf(await page(daemon, '?search=GAMMA%20music'))).toEqual(['ada/gamma']);
    const requestsBefore = hub.requests.length;
    await page(daemon, '?sort=recent');
    expect(hub.requests).toHaveLength(requestsBefore);
  });

  test('is searched offline after a restart, and reports its age and the reason', async () => {
    await hub.addSpace({ id: 'ada/dance', files: dance });
    const { url } = hub;
    {
      await using daemon = await startDaemon();
      expect(idsOf(await page(daemon))).toEqual(['ada/dance']);
    }
    await hub[Symbol.asyncDispose]();
    const file = join(dataDir, 'store.json');
    const old = new Date(Date.now() - 3 * 3600_000).toISOString();
    await writeFile(file, (await readFile(file, 'utf8')).replace(/"fetchedAt": ".*?"/, `"fetchedAt": "${old}"`));
    await using daemon = await startDaemon(url);
    expect(idsOf(await page(daemon, '?search=dance'))).toEqual(['ada/dance']);
    const refreshed = await daemon.post('/api/apps/store/refresh');
    expect(refreshed).toMatchObject({ status: 200, body: { fetchedAt: old, refreshing: false, total: 1 } });
    expect(refreshed.body.problem).toContain('cannot be reached');
    expect(idsOf(await page(daemon))).toEqual(['ada/dance']);
    expect((await daemon.get('/api/apps/store/ada/dance')).status).toBe(502);
    hub = await startFakeHub();
  });

  test("ignores another hub's copy and a damaged one", async () => {
    await hub.addSpace({ id: 'ada/dance', files: dance });
    {
      await using daemon = await startDaemon();
      await page(daemon);
    }
    {
      await using daemon = await startDaemon(NO_HUB);
      expect(await page(daemon)).toMatchObject({
        apps: [],
        matches: 0,
        pages: 0,
        status: { hub: NO_HUB, fetchedAt: null },
      });
    }
    await writeFile(join(dataDir, 'store.json'), '{"hub": 5');
    await using daemon = await startTestDaemon({ dataDir, hubUrl: hub.url, logLevel: 'error' });
    expect(idsOf(await page(daemon))).toEqual(['ada/dance']);
  });

  test('describes an app completely before it is installed', async () => {
    const { sha } = await hub.addSpace({ id: 'ada/dance', files: dance, likes: 4 });
    await using daemon = await startDaemon();
    const { status, body } = await daemon.get('/api/apps/store/ada/dance');
    expect(status).toBe(200);
    const detail: StoreAppDetail = body;
    expect(detail).toMatchObject({
      id: 'ada/dance',
      commit: sha,
      appName: 'dance',
      version: '1.4.0',
      requiresPython: '>=3.10',
      dependencies: ['robot-sdk', 'numpy'],
      needs: [{ name: 'ear', task: 'automatic-speech-recognition', optional: true }],
      readme: { markdown: '# Dance\n\n    pip install it\nevil', truncated: false },
      likes: 4,
      problems: [],
    });
    expect(detail.sizeBytes).toBeGreaterThan(5_000_000);
    expect(detail.sizeBytes).toBeLessThan(5_010_000);
    expect(hub.requests.some(({ path }) => path.includes('large-files'))).toBe(false);
  });

  test('says why an app could not be installed', async () => {
    const unfit: readonly (readonly [string, Record<string, string | null>, RegExp])[] = [
      ['no pyproject.toml', { 'pyproject.toml': null }, /pyproject\.toml/],
      ['no entry point', { 'pyproject.toml': '[project]\nname = "x"\n' }, /entry point/],
      ['a Python that is not there', { 'pyproject.toml': pyproject.replace('3.10', '4.1') }, /4\.1/],
      ['an SDK that is not there', { 'pyproject.toml': pyproject.replace('robot-sdk', 'robot-sdk>=99') }, /99/],
      ['no module', { 'dance/main.py': null }, /dance/],
    ];
    await using daemon = await startDaemon();
    await vi.waitFor(async () => expect((await daemon.get('/api/daemon/status')).body.python.state).toBe('ready'));
    for (const [what, over, why] of unfit) {
      const files = Object.fromEntries(Object.entries({ ...dance, ...over }).filter(([, content]) => content !== null));
      const id = `ada/${what.replaceAll(/\W/g, '-')}`;
      await hub.addSpace({ id, files: files as typeof dance });
      const { status, body } = await daemon.get(`/api/apps/store/${id}`);
      expect([what, status, body.problems]).toEqual([what, 200, [expect.stringMatching(why)]]);
    }
  });

  test('refuses unknown apps and names that are paths', async () => {
    await using daemon = await startDaemon();
    expect(await daemon.get('/api/apps/store/ada/nothing')).toMatchObject({ status: 404, body: { error: /private/ } });
    expect((await daemon.get('/api/apps/store/..%2f/nothing')).status).toBe(400);
    expect((await daemon.get('/api/apps/store/ada/..%2fx')).status).toBe(400);
    expect((await daemon.get('/api/apps/store?limit=1000')).status).toBe(400);
  });
});

describe('the account', () => {
  test('shows private apps while it is signed in, also after a restart without a request', async () => {
    await hub.addSpace({ id: 'ada/secret', files: { ...dance, 'README.md': readme('Secret') }, private: true });
    hub.addToken(TOKEN, { name: 'ada', role: 'read' });
    {
      await using daemon = await startDaemon();
      expect((await daemon.get('/api/hub')).body).toEqual({ hub: hub.url, name: null, problem: null });
      expect(idsOf(await page(daemon))).toEqual([]);
      expect((await daemon.get('/api/apps/store/ada/secret')).status).toBe(404);
      expect(await daemon.put('/api/hub/token', { token: ` ${TOKEN} ` })).toEqual({
        status: 200,
        body: { hub: hub.url, name: 'ada', problem: null },
      });
      await vi.waitFor(async () => expect(idsOf(await page(daemon))).toEqual(['ada/secret']));
      expect((await daemon.get('/api/apps/store/ada/secret')).body).toMatchObject({ private: true, appName: 'dance' });
    }
    const file = join(dataDir, 'hub-token.json');
    expect(await readFile(file, 'utf8')).not.toContain(TOKEN);
    for (const kept of [file, join(dataDir, 'secret-key')]) expect((await stat(kept)).mode & 0o777).toBe(0o600);

    const requestsBefore = hub.requests.length;
    await using daemon = await startDaemon();
    expect((await daemon.get('/api/hub')).body).toMatchObject({ name: 'ada' });
    expect(hub.requests).toHaveLength(requestsBefore);
    expect((await daemon.get('/api/apps/store/ada/secret')).status).toBe(200);

    expect(await signOut(daemon)).toEqual({ hub: hub.url, name: null, problem: null });
    await expect(stat(file)).rejects.toThrow('ENOENT');
    await vi.waitFor(async () => expect(idsOf(await page(daemon))).toEqual([]));
    const copy = () => readFile(join(dataDir, 'store.json'), 'utf8');
    await vi.waitFor(async () => expect(await copy()).not.toContain('secret'));
  });

  test('keeps its token when a new one is refused', async () => {
    hub.addToken(TOKEN, { name: 'ada', role: 'read' });
    await using daemon = await startDaemon();
    await daemon.put('/api/hub/token', { token: TOKEN });
    for (const token of ['hf_unknown', 'hf_with a gap', 'ü', 'hf_a\nb']) {
      const { status, body } = await daemon.put('/api/hub/token', { token });
      expect([status, body.issues[0].path]).toEqual([400, ['token']]);
      expect(JSON.stringify(body)).not.toContain(token);
    }
    expect((await daemon.put('/api/hub/token', {})).status).toBe(400);
    expect((await daemon.get('/api/hub')).body).toEqual({ hub: hub.url, name: 'ada', problem: null });
  });

  test('reports a token that the hub no longer accepts', async () => {
    hub.addToken(TOKEN, { name: 'ada', role: 'read' });
    await using daemon = await startDaemon();
    await daemon.put('/api/hub/token', { token: TOKEN });
    hub.addToken(TOKEN, undefined as never); // revoked
    expect((await daemon.post('/api/apps/store/refresh')).body.problem).toContain('token');
    expect((await daemon.get('/api/hub')).body).toMatchObject({
      name: 'ada',
      problem: expect.stringContaining('token'),
    });
  });

  test("sends no token of another hub's account", async () => {
    hub.addToken(TOKEN, { name: 'ada', role: 'read' });
    {
      await using daemon = await startDaemon();
      await daemon.put('/api/hub/token', { token: TOKEN });
    }
    await using other = await startFakeHub();
    await using daemon = await startDaemon(other.url);
    expect((await daemon.get('/api/hub')).body).toEqual({ hub: other.url, name: null, problem: null });
    await page(daemon);
    expect(other.requests.map(({ authorization }) => authorization)).toEqual([null]);
  });

  test('asks for a new sign-in after the key file is lost', async () => {
    hub.addToken(TOKEN, { name: 'ada', role: 'read' });
    {
      await using daemon = await startDaemon();
      await daemon.put('/api/hub/token', { token: TOKEN });
    }
    await rm(join(dataDir, 'secret-key'));
    await using daemon = await startDaemon();
    await page(daemon);
    expect((await daemon.get('/api/hub')).body.problem).toContain('no longer be read');
    expect((await daemon.put('/api/hub/token', { token: TOKEN })).body.problem).toBeNull();
  });
});

test('an app of the store can be the startup app of a fresh machine', async () => {
  await hub.addSpace({ id: 'ada/Tango', files: dance });
  await using daemon = await startTestDaemon({ dataDir, hubUrl: hub.url, startupApp: 'tango' });
  await vi.waitFor(async () => expect((await daemon.get('/api/jobs')).body[0]?.subject).toContain('ada/Tango'));
});

describe('a store', () => {
  const never = { search: '', sort: 'popular', page: 1, limit: 24 } as const;
  async function store(timing: Partial<StoreTiming> = {}) {
    const events: string[] = [];
    const time = { ms: Date.parse('2025-01-01T00:00:00Z') };
    const log = createLogger('error', () => {});
    const client = new HubClient({
      hubUrl: hub.url,
      token: async () => null,
      onTokenRefused: () => {},
      clock,
      log,
      timeouts: { answerMs: 20_000, stallMs: 20_000, retryMs: 10 },
    });
    const made = new AppStore({
      hub: client,
      hubUrl: hub.url,
      file: join(dataDir, 'store.json'),
      host: async () => null,
      publish: (event: DaemonEvent) => {
        if (event.type === 'store.changed') events.push(event.store.refreshing ? 'begins' : 'ends');
      },
      clock: { ...clock, now: () => new Date(time.ms) },
      log,
      timing,
    });
    onTestFinished(() => made.close());
    return { store: made, events, time };
  }
  const lists = () => hub.requests.filter(({ path }) => path.startsWith('/api/spaces?')).length;

  test('is refreshed in the background once it is ten minutes old, one refresh at a time', async () => {
    await hub.addSpace({ id: 'ada/dance', files: dance });
    const { store: it, events, time } = await store();
    await it.list(never);
    expect([lists(), events]).toEqual([1, ['ends', 'begins', 'ends']]);
    time.ms += 9 * 60_000;
    await it.list(never);
    expect(lists()).toBe(1);
    await hub.addSpace({ id: 'ada/mime', files: dance });
    time.ms += 2 * 60_000;
    hub.misbehave({ delayMs: 1_000 });
    const pages = await Promise.all([it.list(never), it.list(never), it.list(never)]);
    expect(pages.map(({ matches, status }) => [matches, status.refreshing])).toEqual([
      [1, true],
      [1, true],
      [1, true],
    ]);
    await clock.during(vi.waitFor(() => expect(it.status).toMatchObject({ refreshing: false, total: 2 })));
    expect(lists()).toBe(2);
  });

  test('does not request a failed hub again at each read', async () => {
    hub.misbehave({ garbage: true });
    const { store: it, time } = await store();
    expect((await it.list(never)).status.problem).toContain('The answer could not be read');
    await it.list(never);
    expect(lists()).toBe(1);
    hub.misbehave({});
    await hub.addSpace({ id: 'ada/dance', files: dance });
    time.ms += 61_000;
    expect(await it.list(never)).toMatchObject({ matches: 1, status: { problem: null } });
  });

  test('does not delay a list beyond its deadline, and stops its requests when it is closed', async () => {
    hub.misbehave({ hang: true });
    const { store: it } = await store();
    expect((await clock.during(it.list(never), 100)).status).toMatchObject({ refreshing: true, fetchedAt: null });
    await it.close();
    expect(it.status).toMatchObject({ refreshing: false, problem: null });
  });

  test('aborts a refresh that takes too long, and keeps its copy', async () => {
    await hub.addSpace({ id: 'ada/dance', files: dance });
    const { store: it } = await store({ refreshMs: 1_000 });
    await it.list(never);
    hub.misbehave({ hang: true });
    expect(await clock.during(it.refresh())).toMatchObject({
      total: 1,
      problem: expect.stringContaining('did not finish its answer within'),
    });
  });

  test('keeps its copy when a new list is incomplete', async () => {
    await hub.addSpace({ id: 'ada/dance', files: dance });
    const { store: it } = await store();
    await it.list(never);
    hub.misbehave({ stopAfterBytes: 30, only: /^\/api\/spaces/ });
    expect(await it.refresh()).toMatchObject({ total: 1, problem: expect.stringContaining('connection') });
  });
});
