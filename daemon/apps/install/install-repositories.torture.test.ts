/** Repositories and folders with several apps, with submodules, and of apps whose folder does not change. */
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { InstalledApp } from '../../contract/apps/apps.ts';
import type { Job } from '../../contract/jobs.ts';
import { type AppPackage, writeAppPackage } from '../../testing/apps/app-packages.ts';
import { filesOf } from '../../testing/apps/folder-files.ts';
import { startTestDaemon, type TestDaemon } from '../../testing/daemon/test-daemon.ts';
import { type FakeHub, startFakeHub } from '../../testing/fake-hub.ts';

let hub: FakeHub;
/** A git server that the daemon does not know as the hub. */
let gitServer: FakeHub;
let daemon: TestDaemon;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'robot-desktop-repositories-'));
  [hub, gitServer] = await Promise.all([startFakeHub(), startFakeHub()]);
  daemon = await startTestDaemon({ hubUrl: hub.url });
});
afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  await hub?.[Symbol.asyncDispose]();
  await gitServer?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const install = (url: string): Promise<Job> => daemon.install(url);
const app = async (name: string): Promise<InstalledApp> => (await daemon.get(`/api/apps/installed/${name}`)).body;
async function updatesOf(name: string): Promise<string | null> {
  const apps: InstalledApp[] = (await daemon.post('/api/apps/check-for-updates')).body;
  return apps.find((each) => each.name === name)?.update?.commit ?? null;
}
async function update(name: string): Promise<Job> {
  const { body } = await daemon.post(`/api/apps/installed/${name}/update`);
  return daemon.jobEnd(body.id);
}
/** Packages in one folder, each at its subdirectory. */
async function repositoryOf(name: string, ...apps: AppPackage[]): Promise<string> {
  const dir = join(folder, name);
  for (const each of apps) await writeAppPackage(dir, each);
  return dir;
}
const several = ['spin', 'bow', 'nod'].map((name) => ({ name, subdirectory: `apps/games/${name}` }));

describe('several apps in one place are listed, each with the address that installs it:', () => {
  test('a folder, with a link that leads out of it', async () => {
    const workspace = '[project]\nname = "all"\nversion = "1"\n';
    const dir = await repositoryOf('several', ...several);
    await writeFile(join(dir, 'pyproject.toml'), workspace);
    await symlink('/etc', join(dir, 'skills'));
    const { failure } = await install(dir);
    expect(failure).toMatchObject({
      reason: 'not-an-app',
      message: 'The apps are in folders below: bow, nod, spin.',
      action: 'Choose one of them.',
      apps: ['bow', 'nod', 'spin'].map((name) => ({ name, address: join(dir, 'apps', 'games', name) })),
    });
    expect(await install(`${dir}#subdirectory=apps/games/spin`)).toMatchObject({ state: 'done', appName: 'spin' });
    expect(await app('spin')).toMatchObject({ source: { kind: 'folder', path: join(dir, 'apps/games/spin') } });
    await daemon.delete('/api/apps/installed/spin');
  });

  test('a git repository', async () => {
    await gitServer.addSpace({ id: 'bob/several', files: await filesOf(await repositoryOf('git', ...several)) });
    const url = `${gitServer.url}/spaces/bob/several.git`;
    const { failure } = await install(`git+${url}@main`);
    expect(failure?.apps).toEqual(
      ['bow', 'nod', 'spin'].map((name) => ({ name, address: `${url}#main&subdirectory=apps/games/${name}` })),
    );
  });

  test('a Space, one of whose apps is installed and keeps to its folder', async () => {
    await hub.addSpace({ id: 'ann/several', files: await filesOf(await repositoryOf('space', ...several)) });
    const url = `${hub.url}/spaces/ann/several`;
    const { failure } = await install(url);
    expect(failure?.apps).toContainEqual({ name: 'nod', address: `${url}#subdirectory=apps/games/nod` });
    expect(await install(`${url}#subdirectory=apps/games/nod`)).toMatchObject({ state: 'done', appName: 'nod' });
    expect(await app('nod')).toMatchObject({ source: { id: 'ann/several', subdirectory: 'apps/games/nod' } });

    await hub.commit('ann/several', { 'apps/games/bow/README.md': Buffer.from('# Bow\n') });
    expect(await updatesOf('nod')).toBeNull();
    const { sha } = await hub.commit('ann/several', { 'apps/games/nod/README.md': Buffer.from('# Nod\n') });
    expect(await updatesOf('nod')).toBe(sha);
    expect(await install(`${url}#subdirectory=nothing`)).toMatchObject({
      failure: { reason: 'not-found', message: 'ann/several has no folder nothing.' },
    });
  });
});

describe('an app in a folder of a git repository', () => {
  const url = () => `${gitServer.url}/spaces/bob/monorepo.git`;
  beforeAll(async () => {
    const files = await filesOf(await repositoryOf('monorepo', ...several));
    await gitServer.addSpace({ id: 'bob/monorepo', files });
  });

  test('has no update by a commit elsewhere, and one by a commit in its folder', async () => {
    expect(await install(`${url()}#subdirectory=apps/games/bow`)).toMatchObject({ state: 'done' });
    const installed = await app('bow');
    await gitServer.commit('bob/monorepo', { 'apps/games/spin/README.md': Buffer.from('# Spin\n') });
    expect(await updatesOf('bow')).toBeNull();
    expect(await update('bow')).toMatchObject({ state: 'done' });
    expect(await app('bow')).toEqual(installed);
    const { sha } = await gitServer.commit('bob/monorepo', { 'apps/games/bow/README.md': Buffer.from('# Bow\n') });
    expect(await updatesOf('bow')).toBe(sha);
    expect(await update('bow')).toMatchObject({ state: 'done' });
    expect(await app('bow')).toMatchObject({ onTrial: true, update: null, source: { commit: sha } });
    await gitServer.commit('bob/monorepo', { 'apps/games/bow': null });
    expect(await update('bow')).toMatchObject({ failure: { reason: 'not-found' } });
  });

  test('at a fixed version is not installed again by an update, nor put on trial by an install', async () => {
    const address = `git+${url()}@main#subdirectory=apps/games/nod`;
    await daemon.delete('/api/apps/installed/nod');
    expect(await install(address)).toMatchObject({ state: 'done' });
    const installed = await app('nod');
    const job = await update('nod');
    expect(job).toMatchObject({ state: 'done', kind: 'update-app' });
    expect(job.logTail.at(-1)).toMatch(/^nod \S+ is the newest version of its source/);
    expect(await app('nod')).toEqual(installed);
    expect(await install(address)).toMatchObject({ state: 'done', kind: 'update-app' });
    expect(await app('nod')).toMatchObject({ onTrial: false, source: installed.source });
    expect((await app('nod')).installedAt).not.toBe(installed.installedAt);
  });
});

describe('a missing submodule', () => {
  const modules = (path: string) => `[submodule "x"]\n\tpath = ${path}\n\turl = https://git.example/ann/motion.git\n`;

  test('is named as the reason of a failed import', async () => {
    const mainSource =
      'from robot import RobotApp\nimport motion\n\n\nclass Leans(RobotApp):\n    pass\n\n\nif __name__ == "__main__":\n    Leans().wrapped_run()\n';
    const dir = await repositoryOf('leans', {
      name: 'leans',
      className: 'Leans',
      mainSource,
      files: { '.gitmodules': modules('lib/motion') },
    });
    await gitServer.addSpace({ id: 'bob/leans', files: await filesOf(dir) });
    expect(await install(`${gitServer.url}/spaces/bob/leans`)).toMatchObject({
      failure: {
        reason: 'import-error',
        message: expect.stringMatching(
          /^lib\/motion is a submodule, .*git\.example\/ann\/motion\.git.*No module named 'motion'/,
        ),
        action: 'Clone it yourself with git clone --recurse-submodules, then install from that folder.',
      },
    });
    expect(await install(dir)).toMatchObject({
      failure: { action: 'Run git submodule update --init in the folder, then install it again.' },
    });
  });

  test('that holds the app itself leads to its repository', async () => {
    await gitServer.addSpace({ id: 'bob/linked', files: { '.gitmodules': Buffer.from(modules('apps/motion')) } });
    expect(await install(`${gitServer.url}/spaces/bob/linked#subdirectory=apps/motion`)).toMatchObject({
      failure: {
        message: 'apps/motion is a submodule: the files are in another repository, https://git.example/ann/motion.git.',
        action: 'Install from that repository.',
      },
    });
  });
});

test('an app that only lacks a variable at its import is installed, and says at its start what it lacks', async () => {
  const mainSource =
    'import os\n\nfrom robot import RobotApp\n\nKEY = os.environ["SPEECH_KEY"]\n\n\nclass Speaks(RobotApp):\n    pass\n\n\nif __name__ == "__main__":\n    Speaks().wrapped_run()\n';
  const job = await install(await repositoryOf('speaks', { name: 'speaks', className: 'Speaks', mainSource }));
  expect(job).toMatchObject({ state: 'done', appName: 'speaks' });
  const log: string[] = (await daemon.get(`/api/jobs/${job.id}/log`)).body.lines;
  expect(log).toContainEqual(expect.stringMatching(/^warning: .* cannot be imported without SPEECH_KEY/));
  await daemon.post('/api/apps/start-app/speaks');
  await expect
    .poll(() => daemon.slot(), { timeout: 15_000 })
    .toMatchObject({
      state: 'free',
      lastRun: { diagnosis: { cause: 'missing-variable', missingVariables: ['SPEECH_KEY'] } },
    });
});
