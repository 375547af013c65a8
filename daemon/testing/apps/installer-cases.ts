/** The tests of installing. Each of the two installers has its own test file, so that they run in parallel. */
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { Job } from '../../contract/jobs.ts';
import { fixtureApp, newDataDir, sampleApp, startTestDaemon, type TestDaemon } from '../daemon/test-daemon.ts';

/** Copies a test app into a folder that is removed after the test. @param changes edits by file */
export async function copyOf(name: string, changes: Record<string, (text: string) => string> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `robot-desktop-${name}-`));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const to = join(folder, name);
  await cp(fixtureApp(name), to, { recursive: true });
  for (const [file, change] of Object.entries(changes)) {
    await writeFile(join(to, file), change(await readFile(join(to, file), 'utf8').catch(() => '')));
  }
  return to;
}

export const failure = (job: Job) => ({ state: job.state, reason: job.failure?.reason, message: job.failure?.message });

/** Tests that run with both installers, on a data folder that `newFolder` creates and the tests remove. */
export function toolCases(installer: 'pip' | 'uv', newFolder: () => Promise<string> = newDataDir): void {
  let dataDir: string;
  let daemon: TestDaemon;
  beforeAll(async () => {
    dataDir = await newFolder();
    daemon = await startTestDaemon({ dataDir, installer });
  });
  afterAll(async () => {
    await daemon?.[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true, force: true });
  });

  test('a package becomes a listed app; its job has steps and a log, and no package index is requested', async () => {
    const requests: string[] = [];
    const index = createServer((request, response) => {
      requests.push(request.url ?? '');
      response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => index.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void index.close());
    const url = `http://127.0.0.1:${(index.address() as AddressInfo).port}/simple`;
    vi.stubEnv('PIP_INDEX_URL', url);
    vi.stubEnv('UV_DEFAULT_INDEX', url);
    onTestFinished(() => void vi.unstubAllEnvs());
    const job = await daemon.install(sampleApp('hello_wave'));
    expect(job).toMatchObject({ state: 'done', appName: 'hello_wave', failure: null });
    expect(requests).toEqual([]); // not even for the name of the SDK
    expect(job.steps.map(({ state }) => state)).toEqual(Array(7).fill('done'));
    expect((await daemon.get('/api/daemon/status')).body.python).toMatchObject({ state: 'ready', installer });
    expect(await daemon.installed()).toMatchObject([
      {
        name: 'hello_wave',
        title: 'Hello wave',
        module: 'hello_wave.main',
        source: { kind: 'sample', sample: 'hello_wave' },
      },
    ]);
    expect((await daemon.get(`/api/jobs/${job.id}/log`)).body.lines.length).toBeGreaterThan(2);
  });

  test('a missing module is found before anything changes, and named', async () => {
    const before = await daemon.traces();
    const job = await daemon.install(fixtureApp('crashes_at_import'));
    expect(failure(job)).toEqual({
      state: 'failed',
      reason: 'import-error',
      message:
        "The app cannot be imported: ModuleNotFoundError: No module named 'a_module_that_is_not_there' (crashes_at_import/main.py:5).",
    });
    expect(job.failure?.evidence.join('\n')).toContain('a_module_that_is_not_there');
    expect(await daemon.traces()).toEqual(before);
  });

  test('a failed build leaves the old version untouched', async () => {
    const path = await copyOf('forks');
    expect(await daemon.install(path)).toMatchObject({ state: 'done' });
    const before = await daemon.traces();
    const pyproject = await readFile(join(path, 'pyproject.toml'), 'utf8');
    await writeFile(join(path, 'pyproject.toml'), pyproject.replace('robot.build', 'robot.no_such_backend'));
    expect(failure(await daemon.install(path))).toMatchObject({ state: 'failed', reason: 'build' });
    expect(await daemon.traces()).toEqual(before);
    expect((await daemon.installed()).map(({ name }) => name)).toContain('forks');
  });

  test('an index that does not answer fails with reason network when the app needs the baseline libraries', async () => {
    vi.stubEnv('PIP_INDEX_URL', 'http://127.0.0.1:9/simple');
    vi.stubEnv('UV_DEFAULT_INDEX', 'http://127.0.0.1:9/simple');
    vi.stubEnv('PIP_EXTRA_INDEX_URL', 'http://127.0.0.1:9/simple');
    // By default, both wait longer and longer between retries.
    vi.stubEnv('ROBOT_KEEP_ENV', 'PIP_RETRIES,UV_HTTP_RETRIES');
    vi.stubEnv('PIP_RETRIES', '1');
    vi.stubEnv('UV_HTTP_RETRIES', '1');
    onTestFinished(() => void vi.unstubAllEnvs());
    const withBaseline = (text: string) => text.replace('baseline = false', 'baseline = true');
    const job = await daemon.install(await copyOf('new_session', { 'pyproject.toml': withBaseline }));
    expect(failure(job)).toMatchObject({ state: 'failed', reason: 'network' });
    expect(job.failure?.evidence.join('\n')).toMatch(
      /miniaudio|numpy|scipy|fastapi|uvicorn|pydantic|websockets|requests/,
    );
  });
}

/** Tests that are independent of the installer: they run with the faster one. */
export function installCases(installer: 'pip' | 'uv'): void {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await startTestDaemon({ installer });
  });
  afterAll(() => daemon?.[Symbol.asyncDispose]());

  test('installing the same folder again is an update: the new code runs, and one earlier environment is kept', async () => {
    const path = await copyOf('garbage');
    for (const version of ['1.1.0', '1.2.0', '1.3.0']) {
      const pyproject = await readFile(join(path, 'pyproject.toml'), 'utf8');
      await writeFile(join(path, 'pyproject.toml'), pyproject.replace(/version = ".*"/, `version = "${version}"`));
      expect(await daemon.install(path)).toMatchObject({ state: 'done' });
    }
    expect((await daemon.installed()).find(({ name }) => name === 'garbage')?.version).toBe('1.3.0');
    expect((await daemon.traces()).filter((trace) => trace.startsWith('garbage/'))).toHaveLength(2);
  });

  test("the user's folder is never written to", async () => {
    // A build that writes into its working directory, like setuptools.
    const path = await copyOf('silent', {
      'pyproject.toml': (text) => text.replace('"robot.build"', '"writes"\nbackend-path = ["."]'),
      'writes.py': () => 'from robot.build import *\nopen("written-by-the-build", "w").close()\n',
    });
    const before = await readdir(path, { recursive: true });
    expect(await daemon.install(path)).toMatchObject({ state: 'done' });
    expect(await readdir(path, { recursive: true })).toEqual(before);
  });
}
