/** Installing from a Space and from a git repository: real git, real HTTP, real environments, and a fake hub. */
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { execa } from 'execa';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { InstalledApp } from '../../contract/apps/apps.ts';
import type { Job } from '../../contract/jobs.ts';
import { filesOf } from '../../testing/apps/folder-files.ts';
import { fixtureApp, startTestDaemon, type TestDaemon } from '../../testing/daemon/test-daemon.ts';
import { type FakeHub, startFakeHub } from '../../testing/fake-hub.ts';

let hub: FakeHub;
/** A git server that the daemon does not know as the hub. */
let gitServer: FakeHub;
let daemon: TestDaemon;

beforeAll(async () => {
  [hub, gitServer] = await Promise.all([startFakeHub(), startFakeHub()]);
  daemon = await startTestDaemon({ hubUrl: hub.url });
});
afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  await hub?.[Symbol.asyncDispose]();
  await gitServer?.[Symbol.asyncDispose]();
});
afterEach(() => {
  hub.misbehave({});
  gitServer.misbehave({});
});

const version = (text: string, files: Record<string, Buffer>) => ({
  ...files,
  'pyproject.toml': Buffer.from(String(files['pyproject.toml']).replace(/^version = .*$/m, `version = "${text}"`)),
});
const install = (url: string, revision?: string): Promise<Job> => daemon.install(url, revision);
const app = async (name: string): Promise<InstalledApp> => (await daemon.get(`/api/apps/installed/${name}`)).body;
const failure = ({ state, failure }: Job) => ({ state, reason: failure?.reason, message: failure?.message });

describe('a Space', () => {
  const url = () => `${hub.url}/spaces/ann/polite-robot`;

  test('is checked, downloaded with its large files, and installed at its commit', async () => {
    const files = await filesOf(fixtureApp('polite'));
    const large = Buffer.alloc(300_000, 'large ');
    const { sha } = await hub.addSpace({
      id: 'ann/polite-robot',
      files: { ...files, 'polite/moves.bin': { lfs: large } },
      tags: ['robot_python_app'],
    });
    const job = await install(url());
    expect(job).toMatchObject({ state: 'done', kind: 'install-app', appName: 'polite', failure: null });
    expect(await app('polite')).toMatchObject({
      source: { kind: 'space', hub: hub.url, id: 'ann/polite-robot', revision: null, commit: sha },
      onTrial: false,
      previous: null,
    });
    const log: string[] = (await daemon.get(`/api/jobs/${job.id}/log`)).body.lines;
    expect(log).toContain(`ann/polite-robot is at commit ${sha}`);
    const env = join(daemon.dataDir, 'apps', 'polite', 'envs');
    const { stdout } = await execa('find', [env, '-name', 'moves.bin', '-size', '300000c']);
    expect(stdout.trim()).toMatch(/moves\.bin$/);
  });

  test('with a newer commit is offered as an update, installed and rolled back', async () => {
    const before = await app('polite');
    const { sha } = await hub.commit('ann/polite-robot', version('2.0', await filesOf(fixtureApp('polite'))));
    const checked: InstalledApp[] = (await daemon.post('/api/apps/check-for-updates')).body;
    expect(checked.find(({ name }) => name === 'polite')?.update).toMatchObject({ commit: sha });
    const { status, body } = await daemon.post('/api/apps/installed/polite/update');
    expect({ status, kind: body.kind }).toEqual({ status: 202, kind: 'update-app' });
    expect(await daemon.jobEnd(body.id)).toMatchObject({ state: 'done' });
    expect(await app('polite')).toMatchObject({
      version: '2.0',
      update: null,
      onTrial: true,
      previous: { version: before.version, source: before.source },
    });
    const back = await daemon.post('/api/apps/installed/polite/rollback');
    expect(back).toMatchObject({ status: 200, body: { version: before.version, rolledBack: { automatic: false } } });
    expect((await daemon.post('/api/apps/start-app/polite')).status).toBe(200);
    await daemon.post('/api/apps/stop-current-app');
  });

  test('on an unreachable hub is not reported as up to date', async () => {
    const problem = async () => {
      const apps: InstalledApp[] = (await daemon.post('/api/apps/check-for-updates')).body;
      return apps.find(({ name }) => name === 'polite')?.updateProblem;
    };
    hub.misbehave({ redirectTo: 'http://192.0.2.1/x' });
    expect(await problem()).toEqual(expect.stringContaining('192.0.2.1'));
    hub.misbehave({});
    expect(await problem()).toBeNull();
  });

  test('at a given revision has no updates', async () => {
    const { commit } = (await app('polite')).source as { commit: string };
    expect(await install(`${url()}#${commit}`)).toMatchObject({ state: 'done' });
    expect((await app('polite')).source).toMatchObject({ revision: commit, commit });
    const checked: InstalledApp[] = (await daemon.post('/api/apps/check-for-updates')).body;
    expect(checked.find(({ name }) => name === 'polite')?.update).toBeNull();
    expect(failure(await install(url(), 'no-such-branch'))).toMatchObject({ state: 'failed', reason: 'not-found' });
  });

  test('that is not an app is refused before the download', async () => {
    await hub.addSpace({
      id: 'ann/web-page',
      files: { 'app.py': 'import gradio', 'requirements.txt': 'gradio', 'large.bin': { lfs: Buffer.alloc(200_000) } },
    });
    const job = await install(`${hub.url}/spaces/ann/web-page`);
    expect(failure(job)).toMatchObject({ state: 'failed', reason: 'not-an-app' });
    expect(job.steps.find(({ name }) => name === 'download')?.state).toBe('pending');
    expect(hub.requests.filter(({ path }) => path.includes('large.bin'))).toEqual([]);
  });

  test.each<[string, Parameters<FakeHub['misbehave']>[0], string]>([
    ['is not there', { only: /nothing/ }, 'not-found'],
    ['on a hub that answers with other bytes', { garbage: true, only: /main\.py/ }, 'not-an-app'],
    ['on a hub that sends elsewhere', { redirectTo: 'http://192.0.2.1/x', only: /resolve/ }, 'network'],
    ['on a hub that sends to this machine', { redirectTo: 'http://127.0.0.1:9/x', only: /resolve/ }, 'network'],
  ])('%s', async (_, how, reason) => {
    const id = `ann/trouble-${reason}`;
    if (reason !== 'not-found') await hub.addSpace({ id, files: await filesOf(fixtureApp('silent')) });
    const before = await daemon.traces();
    hub.misbehave(how);
    expect(failure(await install(`${hub.url}/spaces/${id}`))).toMatchObject({ state: 'failed', reason });
    expect(await daemon.traces()).toEqual(before);
    expect(await daemon.children()).toEqual([]);
  });

  test('that is private needs a token with access', async () => {
    hub.addToken('hf_of_ann', { name: 'ann', role: 'read' });
    await hub.addSpace({ id: 'ann/secret', files: await filesOf(fixtureApp('forks')), private: true });
    const address = `${hub.url}/spaces/ann/secret`;
    expect(failure(await install(address))).toMatchObject({ reason: expect.stringMatching(/auth|not-found/) });
    expect(await daemon.put('/api/hub/token', { token: 'hf_of_ann' })).toMatchObject({ status: 200 });
    expect(await install(address)).toMatchObject({ state: 'done' });
    await daemon.delete('/api/hub/token');
  });
});

describe('a git repository', () => {
  const url = () => `${gitServer.url}/spaces/bob/apps.git`;
  const shas: Record<string, string> = {};

  beforeAll(async () => {
    const garbage = await filesOf(fixtureApp('garbage'));
    const within = (files: Record<string, Buffer>) =>
      Object.fromEntries(Object.entries(files).map(([path, content]) => [`apps/garbage/${path}`, content]));
    shas['first'] = (await gitServer.addSpace({ id: 'bob/apps', files: within(version('1.0', garbage)) })).sha;
    shas['second'] = (await gitServer.commit('bob/apps', within(version('2.0', garbage)))).sha;
  });

  test('with the package in a folder is installed at its newest commit', async () => {
    const job = await install(`${url()}#subdirectory=apps/garbage`);
    expect(job).toMatchObject({ state: 'done', appName: 'garbage' });
    expect(await app('garbage')).toMatchObject({
      version: '2.0',
      source: { kind: 'git', url: url(), subdirectory: 'apps/garbage', revision: null, commit: shas['second'] },
    });
  });

  test.each([
    ['a branch', () => 'main', '2.0'],
    ['a commit', () => shas['first'] as string, '1.0'],
    ['an abbreviated commit', () => (shas['first'] as string).slice(0, 8), '1.0'],
  ])('%s', async (_, revision, expected) => {
    expect(await install(`${url()}#subdirectory=apps/garbage`, revision())).toMatchObject({ state: 'done' });
    expect((await app('garbage')).version).toBe(expected);
  });

  test('at a branch has updates, at a commit it has none', async () => {
    const offered = async () => {
      const apps: InstalledApp[] = (await daemon.post('/api/apps/check-for-updates')).body;
      return apps.find(({ name }) => name === 'garbage')?.update?.commit ?? null;
    };
    expect(await offered()).toBeNull();
    await install(`${url()}#subdirectory=apps/garbage`, 'main');
    const readme = Buffer.from('# Garbage\n');
    const { sha } = await gitServer.commit('bob/apps', { 'apps/garbage/README.md': readme });
    expect(await offered()).toBe(sha);
  });

  test.each([
    ['without a package at its top', () => url(), 'not-an-app', 'subdirectory=apps/garbage'],
    ['without that folder', () => `${url()}#subdirectory=apps/dance`, 'not-found', 'apps/dance'],
    ['without that branch', () => `${url()}#nowhere&subdirectory=apps/garbage`, 'not-found', 'nowhere'],
    ['that is not there', () => `${gitServer.url}/spaces/bob/nothing.git`, 'auth', 'private or does not exist'],
    ['where nobody listens', () => 'http://127.0.0.1:9/dance.git', 'network', 'cannot be reached'],
  ])('%s', async (_, address, reason, words) => {
    const job = await install(address());
    expect(failure(job)).toMatchObject({ state: 'failed', reason });
    expect(`${job.failure?.message} ${job.failure?.action}`).toContain(words);
  });

  test('with a redirect is followed to permitted addresses only', async () => {
    const leads = async (to: string): Promise<string> => {
      const server = createServer((request, response) => {
        response.writeHead(302, { Location: to + (request.url ?? '').replace('/dance.git', '') }).end();
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => void server.close());
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/dance.git`;
    };
    for (const to of ['http://192.0.2.1/dance.git', 'file:///etc', 'http://127.0.0.1:9/dance.git']) {
      const job = await install(await leads(to));
      expect({ to, ...failure(job) }).toMatchObject({ to, state: 'failed', reason: 'network' });
      expect(job.failure?.message).toMatch(/leads to a forbidden place/);
    }
  });

  test('with a link out of it, or with a pointer to a large file, is refused', async () => {
    const { sha } = await gitServer.addSpace({ id: 'bob/links', files: await filesOf(fixtureApp('silent')) });
    expect(sha).toMatch(/^[0-9a-f]{40}$/);
    const clone = await mkdtemp(join(tmpdir(), 'robot-desktop-clone-'));
    onTestFinished(() => rm(clone, { recursive: true, force: true }));
    gitServer.addToken('hf_of_bob', { name: 'bob', role: 'write' });
    const address = `${gitServer.url.replace('//', '//bob:hf_of_bob@')}/spaces/bob/links.git`;
    const git = (...args: string[]) =>
      execa('git', ['-c', 'user.name=bob', '-c', 'user.email=bob@example.com', '-C', clone, ...args]);
    await execa('git', ['clone', '--quiet', address, clone]);
    await execa('ln', ['-s', '/etc/passwd', join(clone, 'silent', 'passwd')]);
    await git('add', '.');
    await git('commit', '--quiet', '-m', 'a link');
    await git('push', '--quiet');
    expect(failure(await install(`${gitServer.url}/spaces/bob/links.git`))).toMatchObject({
      reason: 'not-an-app',
      message: 'silent/passwd is a link that leads out of the folder.',
    });
    await git('rm', '--quiet', 'silent/passwd');
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 12\n`;
    await writeFile(join(clone, 'silent', 'moves.bin'), pointer);
    await git('add', '.');
    await git('commit', '--quiet', '-m', 'a pointer');
    await git('push', '--quiet');
    const job = await install(`${gitServer.url}/spaces/bob/links.git`);
    expect(failure(job)).toMatchObject({ reason: 'not-an-app', message: expect.stringContaining('silent/moves.bin') });
  });
});

test("a snapshot in the cache of a hub's client, whose files are links, is installed", async () => {
  const repository = join(await mkdtemp(join(tmpdir(), 'robot-desktop-cache-')), 'spaces--ann--silent');
  onTestFinished(() => rm(dirname(repository), { recursive: true, force: true }));
  const snapshot = join(repository, 'snapshots', 'c0ffee');
  await mkdir(join(repository, 'blobs'), { recursive: true });
  for (const [path, content] of Object.entries(await filesOf(fixtureApp('silent')))) {
    const blob = join(repository, 'blobs', createHash('sha1').update(content).digest('hex'));
    const link = join(snapshot, path);
    await writeFile(blob, content);
    await mkdir(dirname(link), { recursive: true });
    await symlink(relative(dirname(link), blob), link);
  }
  expect(failure(await daemon.install(snapshot))).toMatchObject({ state: 'done' });
  expect(await daemon.post('/api/apps/start-app/silent')).toMatchObject({ status: 200 });
  await daemon.post('/api/apps/stop-current-app');
});

test('two apps install concurrently, the same app twice is one job, and another app with the same name is a clash', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'robot-desktop-apps-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const name of ['one', 'two']) await cp(fixtureApp('new_session'), join(folder, name), { recursive: true });
  const ask = async (url: string): Promise<Job> => (await daemon.post('/api/apps/install', { url })).body;
  const jobs = [await ask(join(folder, 'one')), await ask(join(folder, 'one')), await ask(join(folder, 'two'))];
  expect(jobs[1]?.id).toBe(jobs[0]?.id);
  const ended = await Promise.all(jobs.map(({ id }) => daemon.jobEnd(id)));
  expect(ended.map(({ state }) => state).sort()).toEqual(['done', 'done', 'failed']);
  expect(ended.find(({ state }) => state === 'failed')?.failure).toMatchObject({ reason: 'name-clash' });
  expect((await daemon.installed()).filter(({ name }) => name === 'new_session')).toHaveLength(1);
});

test('a pinned app is not updated; a removed app frees its folder and is no longer the startup app', async () => {
  expect(await daemon.install(fixtureApp('crashes'))).toMatchObject({ state: 'done' });
  await daemon.put('/api/apps/startup-app', { startupApp: 'crashes' });
  expect(await daemon.put('/api/apps/installed/crashes/pin', { pinned: true })).toMatchObject({
    status: 200,
    body: { pinned: true },
  });
  expect(await daemon.post('/api/apps/installed/crashes/update')).toMatchObject({ status: 409 });
  expect(failure(await daemon.install(fixtureApp('crashes')))).toMatchObject({ reason: 'pinned' });
  const { body: disk } = await daemon.get('/api/apps/installed/crashes/disk');
  expect(disk.environment).toBeGreaterThan(10_000);
  const { status, body } = await daemon.delete('/api/apps/installed/crashes');
  expect(status).toBe(200);
  expect(body.map(({ name }: InstalledApp) => name)).not.toContain('crashes');
  expect((await daemon.get('/api/apps/startup-app')).body).toEqual({ startupApp: null });
  expect(await daemon.get('/api/apps/installed/crashes')).toMatchObject({ status: 404 });
  await vi.waitFor(async () => expect((await daemon.traces()).join()).not.toContain('crashes'));
  const kept = JSON.parse(await readFile(join(daemon.dataDir, 'startup-app.json'), 'utf8'));
  expect(kept).toEqual({ startupApp: null });
});
