/** Created apps on the real daemon: installed without a package index, started, set on their page, stopped. */
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { projectDir, startTestDaemon, type TestDaemon } from '../../testing/daemon/test-daemon.ts';
import { createApp } from './create-app.ts';

const templatesDir = join(projectDir, 'assets', 'app-templates');
let root: string;
beforeAll(async () => {
  vi.stubEnv('PIP_INDEX_URL', 'http://127.0.0.1:9/');
  root = join(await mkdtemp(join(tmpdir(), 'robot-desktop-created-')), 'Meine Äpps');
  await mkdir(root);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(join(root, '..'), { recursive: true, force: true });
});

/** Creates an app and installs it where no package index answers. */
async function installed(daemon: TestDaemon, name: string) {
  const app = await createApp({ name, destination: root, template: 'default' }, { templatesDir });
  expect(await daemon.install(app.folder)).toMatchObject({ state: 'done', appName: app.name });
  const { settingsPage } = (await daemon.installed()).find((each) => each.name === app.name) ?? {};
  return { ...app, port: settingsPage?.port ?? expect.fail('no page') };
}

async function start(daemon: TestDaemon, app: { readonly name: string; readonly port: number }) {
  expect(await daemon.post(`/api/apps/start-app/${app.name}`)).toMatchObject({ status: 200 });
  const page = `http://localhost:${app.port}`;
  const ask = async (path: string, method = 'GET', body?: object) => {
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(`${page}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return { status: reply.status, body: await reply.text() };
  };
  await vi.waitFor(async () => expect((await daemon.slot()).state).toBe('running'));
  await vi.waitFor(async () =>
    expect(await ask('/settings')).toEqual({ status: 200, body: '{"speed":1.0,"size":1.0}' }),
  );
  return ask;
}

/** The turn of the head to the left in degrees, and the antennas in radians. */
async function motion(daemon: TestDaemon) {
  const { head, joints } = (await daemon.call('getRobot')).pose;
  return { yaw: (Math.atan2(head[4] ?? 0, head[0] ?? 0) * 180) / Math.PI, antennas: joints.antennas };
}
const turn = async (daemon: TestDaemon) => Math.abs((await motion(daemon)).yaw);

async function stop(daemon: TestDaemon) {
  expect(await daemon.post('/api/apps/stop-current-app')).toMatchObject({ body: { state: 'free' } });
  return (await daemon.call('listRuns'))[0];
}

test('a created app moves at once, its page changes the motion, and it stops with exit code 0', async () => {
  await using daemon = await startTestDaemon({ installer: 'pip' });
  const app = await installed(daemon, 'My first app');
  const ask = await start(daemon, app);
  await vi.waitFor(async () => expect(await turn(daemon)).toBeGreaterThan(15));

  // Farther than at first: 33 degrees at most, instead of 22.
  expect(await ask('/settings', 'PUT', { size: 1.5, speed: 2 })).toEqual({
    status: 200,
    body: '{"speed":2.0,"size":1.5}',
  });
  await vi.waitFor(async () => expect(await turn(daemon)).toBeGreaterThan(28));
  // Not at all.
  expect((await ask('/settings', 'PUT', { size: -3 })).body).toBe('{"speed":2.0,"size":0.0}');
  await vi.waitFor(async () => {
    const { yaw, antennas } = await motion(daemon);
    for (const angle of [yaw / 50, ...antennas]) expect(Math.abs(angle)).toBeLessThan(0.02);
  });
  expect(await ask('/sound', 'POST')).toEqual({ status: 200, body: 'null' });
  const script = await readFile(join(app.folder, app.name, 'static', 'main.js'), 'utf8');
  expect(await ask('/main.js')).toEqual({ status: 200, body: script });

  expect(await stop(daemon)).toMatchObject({ appName: 'my_first_app', outcome: 'stopped', exitCode: 0 });
  expect(await daemon.output()).toEqual([`Moving. Settings: http://localhost:${app.port}`, 'Bye.']);
});

test('two created apps run side by side, each with the page at a port of its own', async () => {
  await using here = await startTestDaemon({ installer: 'pip' });
  await using there = await startTestDaemon({ installer: 'pip' });
  const first = await installed(here, 'Wave hello');
  const second = await installed(there, 'Look at me');
  expect(first.port).not.toBe(second.port);
  const askFirst = await start(here, first);
  const askSecond = await start(there, second);
  await askFirst('/settings', 'PUT', { speed: 3 });
  await askSecond('/settings', 'PUT', { speed: 0.5 });
  expect([await askFirst('/settings'), await askSecond('/settings')]).toEqual([
    { status: 200, body: '{"speed":3.0,"size":1.0}' },
    { status: 200, body: '{"speed":0.5,"size":1.0}' },
  ]);
});
