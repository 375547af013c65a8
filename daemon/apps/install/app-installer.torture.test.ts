/** Refused installs, and cancelled ones. */
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Job } from '../../contract/jobs.ts';
import { copyOf, failure } from '../../testing/apps/installer-cases.ts';
import { fixtureApp, sampleApp, startTestDaemon, type TestDaemon } from '../../testing/daemon/test-daemon.ts';

describe('refused with the reason:', () => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await startTestDaemon();
  });
  afterAll(() => daemon?.[Symbol.asyncDispose]());
  const install = async (path: string) => failure(await daemon.install(path));

  test('an address that is no absolute path, a missing folder or a file, at once', async () => {
    const file = join(fixtureApp('polite'), 'README.md');
    for (const url of ['hello_wave', 'ftp://x', '--help', 'file://elsewhere/x', '/a\0b', '/nowhere/at/all', file]) {
      const { status, body } = await daemon.post('/api/apps/install', { url });
      expect({ url, status, issues: body.issues?.length }).toEqual({ url, status: 400, issues: 1 });
    }
  });

  test('a folder without a package', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'robot-desktop-empty-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    expect(await install(folder)).toMatchObject({ reason: 'not-an-app' });
  });

  test('a link out of the folder', async () => {
    const path = await copyOf('polite');
    await symlink('/etc/passwd', join(path, 'polite', 'passwd'));
    expect(await install(path)).toMatchObject({
      reason: 'not-an-app',
      message: 'polite/passwd is a link that leads out of the folder.',
    });
  });

  test('a link inside the folder is not refused', async () => {
    const path = await copyOf('polite');
    await symlink('main.py', join(path, 'polite', 'again.py'));
    expect(await install(path)).toMatchObject({ state: 'done' });
  });

  test('a package that cannot run; a class that is missing or not an app', async () => {
    const rename = (name: string) => (text: string) => text.replaceAll('"polite.main', `"${name}.main`);
    expect(await install(await copyOf('polite', { 'pyproject.toml': rename('json') }))).toMatchObject({
      reason: 'not-an-app',
      message: expect.stringContaining(
        "Its package is named json, like a module of Python's own: it could not be started.",
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

  test('another app with a name in use', async () => {
    expect(await install(fixtureApp('garbage'))).toMatchObject({ state: 'done' });
    expect(await install(await copyOf('garbage'))).toMatchObject({ reason: 'name-clash' });
    const other = await copyOf('garbage', { 'pyproject.toml': (text) => text.replace('garbage = "', 'Garbage = "') });
    expect(await install(other)).toMatchObject({ reason: 'name-clash' });
  });

  test('an update of the running app', async () => {
    expect(await install(fixtureApp('silent'))).toMatchObject({ state: 'done' });
    await daemon.post('/api/apps/start-app/silent');
    expect(await install(fixtureApp('silent'))).toMatchObject({ reason: 'app-running' });
    await daemon.post('/api/apps/stop-current-app');
  });
});

test('a cancelled install leaves no files at any step, and the next install works', { tags: ['smoke'] }, async () => {
  await using daemon = await startTestDaemon();
  // Waits for the daemon's search for Python, whose processes would be mistaken for the install's.
  await vi.waitFor(async () => expect((await daemon.get('/api/daemon/status')).body.python.state).toBe('ready'));
  for (const step of ['preflight', 'download', 'check', 'tools', 'build', 'import']) {
    const { id } = (await daemon.post('/api/apps/install', { url: sampleApp('dance') })).body as Job;
    await vi.waitFor(
      async () => {
        const { steps } = (await daemon.get(`/api/jobs/${id}`)).body as Job;
        expect(steps.find(({ name }) => name === step)?.state).not.toBe('pending');
      },
      { interval: 1 },
    );
    await daemon.post(`/api/jobs/${id}/cancel`);
    const { state, steps } = await daemon.jobEnd(id);
    // After a cancel that came too late, the install is done and complete.
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

test('without a suitable Python, the job says which version is needed, and the daemon continues', async () => {
  await using daemon = await startTestDaemon({ python: '/bin/false' });
  const job = await daemon.install(sampleApp('dance'));
  expect(job.failure).toMatchObject({ reason: 'python-missing', action: 'Choose another one with --python.' });
  expect((await daemon.get('/api/daemon/status')).body.python).toMatchObject({ state: 'missing' });
});
