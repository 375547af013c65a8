/** Installing, with real environments built by uv and by venv and pip. */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Job } from '../contract/jobs.ts';
import { fixtureApp, newDataDir, sampleApp, startTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';
import { uvIsHere } from '../testing/uv.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'robot-desktop-apps-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A copy of a test's app that a test may change. */
async function copyOf(name: string, changes: Record<string, (text: string) => string> = {}): Promise<string> {
  const to = join(await mkdtemp(join(folder, `${name}-`)), name);
  await cp(fixtureApp(name), to, { recursive: true });
  for (const [file, change] of Object.entries(changes)) {
    await writeFile(join(to, file), change(await readFile(join(to, file), 'utf8').catch(() => '')));
  }
  return to;
}
const failure = (job: Job) => ({ state: job.state, reason: job.failure?.reason, message: job.failure?.message });

const haveUv = await uvIsHere();
if (!haveUv) console.warn('SKIPPED: installing with uv, because uv is not here and the package index does not have it');

describe.each(['pip', 'uv'] as const)('with %s', (installer) => {
  const ours = test.runIf(installer === 'pip' || haveUv);
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await startTestDaemon({ installer, wakeUpOnStart: false });
  });
  afterAll(() => daemon?.[Symbol.asyncDispose]());

  ours('a package becomes an app that is listed, with steps and a log on the way', async () => {
    const job = await daemon.install(sampleApp('hello_wave'));
    expect(job).toMatchObject({ state: 'done', appName: 'hello_wave', failure: null });
    expect(job.steps.map(({ state }) => state)).toEqual(['done', 'done', 'done', 'done', 'done', 'done']);
    expect((await daemon.get('/api/daemon/status')).body.python).toMatchObject({ state: 'ready', installer });
    expect(await daemon.installed()).toMatchObject([
      { name: 'hello_wave', title: 'Hello wave', module: 'hello_wave.main', source: { kind: 'folder' } },
    ]);
    expect((await daemon.get(`/api/jobs/${job.id}/log`)).body.lines.length).toBeGreaterThan(2);
  });

  ours('no index is asked for anything, whatever has the name of the SDK there', async () => {
    const asked: string[] = [];
    const index = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => index.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void index.close());
    const url = `http://127.0.0.1:${(index.address() as AddressInfo).port}/simple`;
    vi.stubEnv('PIP_INDEX_URL', url);
    vi.stubEnv('UV_DEFAULT_INDEX', url);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await daemon.install(await copyOf('polite'))).toMatchObject({ state: 'done' });
    expect(asked).toEqual([]);
  });

  ours(
    'the same folder again is an update: what runs is the new code, and one earlier environment is kept',
    async () => {
      const path = await copyOf('garbage');
      for (const version of ['1.1.0', '1.2.0', '1.3.0']) {
        const pyproject = await readFile(join(path, 'pyproject.toml'), 'utf8');
        await writeFile(join(path, 'pyproject.toml'), pyproject.replace(/version = ".*"/, `version = "${version}"`));
        expect(await daemon.install(path)).toMatchObject({ state: 'done' });
      }
      expect((await daemon.installed()).find(({ name }) => name === 'garbage')?.version).toBe('1.3.0');
      expect((await daemon.traces()).filter((trace) => trace.startsWith('garbage/'))).toHaveLength(2);
    },
  );

  ours("the user's folder is never written to", async () => {
    // A build that writes where it runs, as setuptools does.
    const path = await copyOf('silent', {
      'pyproject.toml': (text) => text.replace('"robot.build"', '"writes"\nbackend-path = ["."]'),
      'writes.py': () => 'from robot.build import *\nopen("written-by-the-build", "w").close()\n',
    });
    const before = await readdir(path, { recursive: true });
    expect(await daemon.install(path)).toMatchObject({ state: 'done' });
    expect(await readdir(path, { recursive: true })).toEqual(before);
  });

  ours('a module that is missing is found before anything changes, and named', async () => {
    const before = await daemon.traces();
    const job = await daemon.install(fixtureApp('crashes_at_import'));
    expect(failure(job)).toEqual({
      state: 'failed',
      reason: 'import-error',
      message: "The app cannot be imported: ModuleNotFoundError: No module named 'a_module_that_is_not_there'.",
    });
    expect(job.failure?.evidence.join('\n')).toContain('a_module_that_is_not_there');
    expect(await daemon.traces()).toEqual(before);
  });

  ours('a package that cannot be built leaves the old version whole', async () => {
    const path = await copyOf('forks');
    expect(await daemon.install(path)).toMatchObject({ state: 'done' });
    const before = await daemon.traces();
    const pyproject = await readFile(join(path, 'pyproject.toml'), 'utf8');
    await writeFile(join(path, 'pyproject.toml'), pyproject.replace('robot.build', 'robot.no_such_backend'));
    expect(failure(await daemon.install(path))).toMatchObject({ state: 'failed', reason: 'build' });
    expect(await daemon.traces()).toEqual(before);
    expect((await daemon.installed()).map(({ name }) => name)).toContain('forks');
  });

  ours('an index that does not answer is called that', async () => {
    vi.stubEnv('PIP_INDEX_URL', 'http://127.0.0.1:9/simple');
    vi.stubEnv('UV_DEFAULT_INDEX', 'http://127.0.0.1:9/simple');
    vi.stubEnv('PIP_EXTRA_INDEX_URL', 'http://127.0.0.1:9/simple');
    onTestFinished(() => void vi.unstubAllEnvs());
    const wants = (text: string) => text.replace('["robot-sdk"]\n\n', '["robot-sdk", "no-such-package-at-all"]\n\n');
    const job = await daemon.install(await copyOf('new_session', { 'pyproject.toml': wants }));
    expect(failure(job)).toMatchObject({ state: 'failed', reason: 'network' });
  });
});

describe('what is refused, and why', () => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await startTestDaemon({ wakeUpOnStart: false });
  });
  afterAll(() => daemon?.[Symbol.asyncDispose]());
  const install = async (path: string) => failure(await daemon.install(path));

  test('an address that is no folder is refused at once', async () => {
    for (const url of [
      'hello_wave',
      'https://example.com/spaces/a/b',
      'ftp://x',
      '--help',
      'file://elsewhere/x',
      '/a\0b',
    ]) {
      const { status, body } = await daemon.post('/api/apps/install', { url });
      expect({ url, status, issues: body.issues?.length }).toEqual({ url, status: 400, issues: 1 });
    }
  });

  test('no such folder, a file, a folder without a package', async () => {
    expect(await install(join(folder, 'nowhere'))).toMatchObject({ reason: 'not-found' });
    expect(await install(join(fixtureApp('polite'), 'README.md'))).toMatchObject({ reason: 'not-found' });
    expect(await install(folder)).toMatchObject({ reason: 'not-an-app' });
  });

  test('a link that leads out of the folder', async () => {
    const path = await copyOf('polite');
    await symlink('/etc/passwd', join(path, 'polite', 'passwd'));
    expect(await install(path)).toMatchObject({
      reason: 'not-an-app',
      message: 'polite/passwd is a link that leads out of the folder.',
    });
  });

  test('a link inside the folder is fine', async () => {
    const path = await copyOf('polite');
    await symlink('main.py', join(path, 'polite', 'again.py'));
    expect(await install(path)).toMatchObject({ state: 'done' });
  });

  test('a package that could never run, a class that is not there or not an app', async () => {
    const rename = (name: string) => (text: string) => text.replaceAll('"polite.main', `"${name}.main`);
    expect(await install(await copyOf('polite', { 'pyproject.toml': rename('json') }))).toMatchObject({
      reason: 'not-an-app',
      message: expect.stringContaining(
        "Its package is named json, like a module of Python's own: it could never be run.",
      ),
    });
    const noClass = await copyOf('crashes', { 'pyproject.toml': (text) => text.replace('main:Crashes', 'main:Crash') });
    expect(await install(noClass)).toMatchObject({
      reason: 'not-an-app',
      message: 'crashes.main has no class Crash, which the entry point names.',
    });
    const noApp = await copyOf('crashes', {
      'crashes/main.py': (text) => text.replace('Crashes(RobotApp)', 'Crashes'),
    });
    expect(await install(noApp)).toMatchObject({
      message: 'Crashes in crashes.main is not a subclass of robot.RobotApp.',
    });
  });

  test('another app under a name that is taken', async () => {
    expect(await install(fixtureApp('garbage'))).toMatchObject({ state: 'done' });
    expect(await install(await copyOf('garbage'))).toMatchObject({ reason: 'name-clash' });
    const other = await copyOf('garbage', { 'pyproject.toml': (text) => text.replace('garbage = "', 'Garbage = "') });
    expect(await install(other)).toMatchObject({ reason: 'name-clash' });
  });

  test('an app that is running is not replaced', async () => {
    expect(await install(fixtureApp('silent'))).toMatchObject({ state: 'done' });
    await daemon.post('/api/apps/start-app/silent');
    expect(await install(fixtureApp('silent'))).toMatchObject({ reason: 'app-running' });
    await daemon.post('/api/apps/stop-current-app');
  });
});

test('a cancel at any step leaves no trace, and the next install works', async () => {
  await using daemon = await startTestDaemon({ wakeUpOnStart: false });
  // The daemon's own look for Python must be over, or its processes would be taken for the install's.
  await vi.waitFor(
    async () => expect((await daemon.get('/api/daemon/status')).body.python.state).toBe('ready'),
    10_000,
  );
  for (const step of ['copy', 'check', 'tools', 'build', 'import']) {
    const { id } = (await daemon.post('/api/apps/install', { url: sampleApp('dance') })).body as Job;
    await vi.waitFor(
      async () => {
        const { steps } = (await daemon.get(`/api/jobs/${id}`)).body as Job;
        expect(steps.find(({ name }) => name === step)?.state).not.toBe('pending');
      },
      { timeout: 20_000, interval: 1 },
    );
    await daemon.post(`/api/jobs/${id}/cancel`);
    const { state, steps } = await daemon.jobEnd(id);
    // Asked for too late to matter, it is done; and then whole.
    expect({ step, state }).toEqual({ step, state: expect.stringMatching(/cancelled|done/) });
    if (state === 'cancelled') {
      expect(steps.some((one) => one.state === 'cancelled')).toBe(true);
      expect(await daemon.traces()).toEqual([]);
    }
    expect(await daemon.children()).toEqual([]);
    if (state === 'done') break;
  }
  expect(await daemon.install(sampleApp('dance'))).toMatchObject({ state: 'done' });
});

test('without a Python that will do, the job says which one is needed and the daemon goes on', async () => {
  await using daemon = await startTestDaemon({ python: '/bin/false', wakeUpOnStart: false });
  const job = await daemon.install(sampleApp('dance'));
  expect(job.failure).toMatchObject({ reason: 'python-missing', action: 'Choose another one with --python.' });
  expect((await daemon.get('/api/daemon/status')).body.python).toMatchObject({ state: 'missing' });
});

test('tools that were half made when the daemon was killed are made again', async () => {
  const dataDir = await newDataDir({ ownTools: true });
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  {
    await using first = await startTestDaemon({ dataDir, installer: 'pip', wakeUpOnStart: false });
    expect(await first.install(sampleApp('dance'))).toMatchObject({ state: 'done' });
  }
  const tools = join(dataDir, 'tools');
  const [env] = (await readdir(tools)).filter((name) => name.startsWith('python-'));
  await rm(join(tools, env as string, 'ready'));
  await rm(join(tools, env as string, 'lib'), { recursive: true, force: true });
  await mkdir(join(dataDir, 'apps', 'half-made', 'envs', 'x'), { recursive: true });
  await using second = await startTestDaemon({ dataDir, installer: 'pip', wakeUpOnStart: false });
  expect(await second.traces()).not.toContain('half-made');
  expect((await second.installed()).map(({ name }) => name)).toEqual(['dance']);
  expect(await second.install(sampleApp('hello_wave'))).toMatchObject({ state: 'done' });
});
