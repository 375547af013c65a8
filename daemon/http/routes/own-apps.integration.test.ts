/** The list of own apps and what is refused, over real HTTP; each answer is checked against the contract. */
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OwnApp, OwnApps } from '../../contract/apps/own-apps.ts';
import { writeAppPackage } from '../../testing/apps/app-packages.ts';
import { type CheckedDaemon, startCheckedDaemon } from '../../testing/daemon/checked-daemon.ts';
import { newDataDir, startTestDaemon } from '../../testing/daemon/test-daemon.ts';
import { type FakeHub, startFakeHub } from '../../testing/fake-hub.ts';
import { movableClock } from '../../testing/movable-clock.ts';

const UNKNOWN = '0123456789abcdef';

let top: string;
let dataDir: string;
let hub: FakeHub;
let checked: CheckedDaemon;
const opened: string[] = [];
const clock = movableClock();
let isBroken = false;
const opener = async (path: string) => {
  if (isBroken) throw new Error('no program opens it');
  opened.push(path);
};
const ask: CheckedDaemon['ask'] = (...what) => checked.ask(...what);
const post = (path: string, body?: object) => ask('POST', path, body && { body });

beforeAll(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), 'own-apps-ü ')));
  [dataDir, hub] = await Promise.all([newDataDir(), startFakeHub()]);
  checked = await startCheckedDaemon({ dataDir, opener, hubUrl: hub.url, clock });
});
afterAll(async () => {
  await checked?.[Symbol.asyncDispose]();
  await hub?.[Symbol.asyncDispose]();
  for (const folder of [top, dataDir]) await rm(folder, { recursive: true, force: true });
});

test('an app is created in a new folder, and listed', async () => {
  const { status, body } = await post('/api/apps/own/create', { name: 'My first app', destination: top });
  const folder = join(top, 'my_first_app');
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      ...{ folder, name: 'my_first_app', title: 'My first app', version: '0.1.0', emoji: expect.any(String) },
      icon: expect.stringMatching(/^\/api\/apps\/own\/[0-9a-f]{16}\/icon\?version=[0-9a-f]{16}$/),
      ...{ exists: true, check: null, space: null },
      run: { state: 'off', jobId: null, reloads: 0, problem: null, findings: [] },
    },
  });
  expect(await readdir(folder)).toContain('pyproject.toml');
  const listed = { apps: [body], proposedFolder: join(homedir(), 'robot-apps'), canOpen: true };
  expect((await ask('GET', '/api/apps/own')).body).toEqual(listed);
});

test('an app is created from the template that is named', async () => {
  const wanted = { name: 'Small talk', destination: top, template: 'conversation' };
  const { folder, id }: OwnApp = (await post('/api/apps/own/create', wanted)).body;
  expect(await readdir(join(folder, 'small_talk'))).toContain('persona.py');
  await ask('DELETE', `/api/apps/own/${id}`);
});

test.each<[string, () => object, number, RegExp]>([
  ['in a folder that is not there', () => ({ name: 'x y', destination: join(top, 'no') }), 404, /^There is no folder/],
  ['in a file', () => ({ name: 'x y', destination: join(top, 'file') }), 400, /is a file/],
  ['in a relative folder', () => ({ name: 'x y', destination: 'apps' }), 400, /absolute path/],
  ['under a name that none can have', () => ({ name: '!!!', destination: top }), 400, /./],
  ['where its folder is already', () => ({ name: 'My first app', destination: top }), 409, /exists already/],
])('no app is created %s', async (_, request, status, error) => {
  await writeFile(join(top, 'file'), '');
  const before = await readdir(top);
  const answer = await post('/api/apps/own/create', request());
  expect(answer).toMatchObject({ status, body: { error: expect.stringMatching(error) } });
  expect(await readdir(top)).toEqual(before);
});

test('a folder is added, forgotten and added again; it stays as it is', async () => {
  const folder = await writeAppPackage(join(top, 'hello'), { name: 'hello', baseline: false });
  const { body: added } = await post('/api/apps/own', { folder });
  expect(added).toMatchObject({ folder, name: 'hello', exists: true });
  const forgotten: OwnApps = (await ask('DELETE', `/api/apps/own/${added.id}`)).body;
  expect(forgotten.apps.map(({ name }) => name)).toEqual(['my_first_app']);
  expect(await readdir(folder)).toContain('hello');
  expect((await post('/api/apps/own', { folder: `${folder}/../hello/` })).body).toEqual(added);
  for (const [path, status] of [
    [join(top, 'no'), 404],
    [join(top, 'file'), 400],
    ['hello', 400],
  ] as const) {
    expect(await post('/api/apps/own', { folder: path })).toMatchObject({ status });
  }
});

test('its folder and files are opened here, and nothing outside', async () => {
  const { folder, id }: OwnApp = (await post('/api/apps/own', { folder: join(top, 'hello') })).body;
  const open = (body: object) => post(`/api/apps/own/${id}/open`, body);
  expect(await open({})).toMatchObject({ status: 200, body: { opened: folder } });
  const file = join(folder, 'hello', 'main.py');
  expect(await open({ file: 'hello/main.py' })).toMatchObject({ status: 200, body: { opened: file } });
  expect(opened).toEqual([folder, file]);
  expect(await open({ file: '../file' })).toMatchObject({
    status: 404,
    body: { error: 'The app has no file ../file.' },
  });
  isBroken = true;
  expect(await open({})).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('no program opens it') },
  });
  isBroken = false;
});

test('a publication needs an account that may write, and an app without problems', async () => {
  const { id, folder }: OwnApp = (await post('/api/apps/own', { folder: join(top, 'my_first_app') })).body;
  const preview = () => ask('GET', `/api/apps/own/${id}/publication`);
  expect(await preview()).toMatchObject({ status: 409, body: { error: expect.stringContaining('Sign in') } });
  expect(await post(`/api/apps/own/${id}/publish`, {})).toMatchObject({ status: 409 });
  hub.addToken('hf_of_ann', { name: 'ann', role: 'write' });
  await ask('PUT', '/api/hub/token', { body: { token: 'hf_of_ann' } });
  expect(await preview()).toMatchObject({ status: 200, body: { account: 'ann', exists: false, nextVersion: '0.1.0' } });
  await mkdir(join(top, 'empty'));
  const { body: empty } = await post('/api/apps/own', { folder: join(top, 'empty') });
  expect(await ask('GET', `/api/apps/own/${empty.id}/publication`)).toMatchObject({ status: 422 });
  hub.misbehave({ status: 500 });
  expect(await clock.during(preview())).toMatchObject({ status: 502 }); // it asks again, with pauses
  hub.misbehave({});
  expect(folder).toBe(join(top, 'my_first_app'));
});

test('an app whose folder is gone stays in the list, and can only be forgotten', async () => {
  await mkdir(join(top, 'gone'));
  const { id }: OwnApp = (await post('/api/apps/own', { folder: join(top, 'gone') })).body;
  await rm(join(top, 'gone'), { recursive: true });
  for (const [method, path] of [
    ['POST', 'check'],
    ['POST', 'fix'],
    ['POST', 'run'],
    ['POST', 'open'],
    ['POST', 'publish'],
    ['GET', 'publication'],
  ] as const) {
    const options = path === 'open' || path === 'publish' ? { body: {} } : {};
    const answer = await ask(method, `/api/apps/own/${id}/${path}`, options);
    expect({ path, ...answer }).toMatchObject({ path, status: 404, body: { error: expect.stringContaining('gone') } });
  }
  expect(await post(`/api/apps/own/${id}/stop`)).toMatchObject({ status: 200, body: { exists: false } });
  expect(await ask('DELETE', `/api/apps/own/${id}`)).toMatchObject({ status: 200 });
  expect(await ask('DELETE', `/api/apps/own/${UNKNOWN}`)).toMatchObject({ status: 404 });
});

test('the list outlives the daemon; without a screen nothing is opened', async () => {
  const { apps } = (await ask('GET', '/api/apps/own')).body as OwnApps;
  await checked.daemon.stop();
  await using next = await startTestDaemon({ dataDir, hubUrl: hub.url });
  const listed = await next.call('listOwnApps');
  expect(listed).toMatchObject({ canOpen: false });
  expect(listed.apps).toEqual(apps);
  const [app] = listed.apps;
  const opening = next.call('openOwnApp', { params: { ownAppId: app?.id ?? '' }, body: {} });
  expect(await opening.catch((error) => error)).toMatchObject({ status: 409 });
});
