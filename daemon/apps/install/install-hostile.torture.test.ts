/** Malicious hubs, repositories and packages are refused before any of their code runs. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Job } from '../../contract/jobs.ts';
import { type AppPackage, writeAppPackage } from '../../testing/apps/app-packages.ts';
import { filesOf } from '../../testing/apps/folder-files.ts';
import {
  type ListedFile,
  type LyingHub,
  serveBytes,
  startLyingHub,
  strayFiles,
} from '../../testing/apps/hostile-apps.ts';
import { newDataDir, startTestDaemon, type TestDaemon } from '../../testing/daemon/test-daemon.ts';
import { git as runGit } from '../../testing/fake-hub/repository/git.ts';
import { type FakeHub, startFakeHub } from '../../testing/fake-hub.ts';

let folder: string;
let dataDir: string;
let hub: LyingHub;
let gitServer: FakeHub;
let daemon: TestDaemon;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'robot-desktop-hostile-'));
  [hub, gitServer] = await Promise.all([startLyingHub(), startFakeHub()]);
  dataDir = await newDataDir(['tools']); // with its own cache, so that a stray file in it is found
  daemon = await startTestDaemon({ dataDir, hubUrl: hub.url });
});
afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  await hub?.[Symbol.asyncDispose]();
  await gitServer?.[Symbol.asyncDispose]();
  for (const path of [dataDir, folder]) await rm(path, { recursive: true, force: true });
});

const write = (app: AppPackage, within = app.name) => writeAppPackage(join(folder, within), app);
const install = async (app: AppPackage): Promise<Job> => daemon.install(await write(app));
const refusal = ({ state, failure }: Job) => ({ state, reason: failure?.reason, message: failure?.message });
const escaped = () => strayFiles(daemon.dataDir, folder);
describe('a Space', () => {
  const address = () => `${hub.url}/spaces/ann/evil`;
  const honest = [{ path: 'README.md', content: '# Evil' }];

  test.each<[string, string[]]>([
    ['out of the folder', ['../evil']],
    ['out of the folder, in the middle of a path', ['evil/../../evil']],
    ['absolute', ['/tmp/evil']],
    ['with backslashes', ['..\\evil']],
    ['on a drive', ['C:\\evil']],
    ['on a drive, with slashes', ['C:/evil']],
    ['of git itself', ['.git/hooks/post-checkout']],
    ['with a NUL', ['evil\0.py']],
    ['apart by case alone', ['evil/main.py', 'Evil/main.py']],
    ['a file and a folder', ['evil', 'evil/main.py']],
    ['a file of the repository below a folder that is none', ['evil/.GIT/config']],
  ])('with names that are %s', async (_, paths) => {
    hub.list([...honest, ...paths.map((path) => ({ path, content: 'evil' }))]);
    const before = await daemon.traces();
    expect(refusal(await daemon.install(address()))).toMatchObject({
      state: 'failed',
      reason: 'hub',
      message: expect.stringMatching(/^It cannot be downloaded from the hub: /),
    });
    expect(await daemon.traces()).toEqual(before);
    expect(await escaped()).toEqual([]);
  });

  test('with 30,000 files', async () => {
    hub.list(Array.from({ length: 30_000 }, (_, index) => ({ path: `evil/${index}.py` })));
    expect(refusal(await daemon.install(address()))).toMatchObject({
      reason: 'hub',
      message: expect.stringContaining('20,000 files'),
    });
  });

  test('with a large file of another content, or files longer than listed', async () => {
    const files = await filesOf(await write({ name: 'swapped' }));
    const listed: ListedFile[] = Object.entries(files).map(([path, text]) => ({ path, content: text.toString() }));
    const before = await daemon.traces();
    for (const wrong of [
      { path: 'swapped/moves.bin', content: 'evil', sha256: '0'.repeat(64) },
      { path: 'swapped/more.py', content: '# evil', size: 3 },
    ]) {
      hub.list([...listed, wrong]);
      const job = await daemon.install(address());
      expect(refusal(job)).toMatchObject({ state: 'failed', reason: 'hub' });
      expect(job.steps.find(({ name }) => name === 'download')?.state).toBe('failed');
      expect(await daemon.traces()).toEqual(before);
    }
  });

  test('with redirects to services of this machine or its network: no request is sent', async () => {
    hub.list(honest);
    const { url, requests } = await serveBytes('secrets');
    onTestFinished(() => hub.redirectTo(null));
    // Under another host name than the hub's, whose large files may be behind another port.
    const hosts = ['localhost', '127.0.0.2', '[::ffff:127.0.0.1]', '[::1]'].map((host) =>
      url.replace('127.0.0.1', host),
    );
    for (const to of [...hosts, 'http://169.254.169.254/latest/', 'file:///etc/passwd']) {
      hub.redirectTo(to);
      expect({ to, ...refusal(await daemon.install(address())) }).toMatchObject({ to, reason: 'network' });
    }
    expect(requests).toEqual([]);
  });
});

describe('a git repository', () => {
  /** Pushes a malformed tree. @returns the repository's address */
  async function repository(name: string, tree: (of: { blob: string; hooks: string }) => string[]): Promise<string> {
    const id = `bob/${name}`;
    gitServer.addToken('hf_of_bob', { name: 'bob', role: 'write' });
    const dir = await mkdtemp(join(folder, 'repository-'));
    const git = async (args: string[], input = ''): Promise<string> => {
      const who = ['-c', 'user.name=bob', '-c', 'user.email=bob@example.com'];
      return (await runGit(dir, [...who, ...args], input)).toString().trim();
    };
    await git(['init', '--quiet']);
    const blob = await git(['hash-object', '-w', '--stdin'], '/etc');
    const hooks = await git(['mktree'], `100755 blob ${blob}\tpost-checkout\n`);
    const top = await git(['mktree'], `${tree({ blob, hooks }).join('\n')}\n`);
    const commit = await git(['commit-tree', '-m', 'evil', top]);
    await gitServer.addSpace({ id, files: { 'README.md': '# Evil' } });
    const address = `${gitServer.url}/spaces/${id}.git`;
    await git(['push', '--quiet', '--force', address.replace('//', '//bob:hf_of_bob@'), `${commit}:refs/heads/main`]);
    return address;
  }

  test.each([
    ['a folder above', '..'],
    ['hooks of its own', '.git'],
    ['hooks of its own, for a disk that does not tell letters apart', '.GiT'],
    ['hooks of its own, by its short name', 'git~1'],
  ])('with %s', async (_, name) => {
    const before = await daemon.traces();
    const id = `tree-${Buffer.from(name).toString('hex')}`;
    const job = await daemon.install(await repository(id, ({ hooks }) => [`040000 tree ${hooks}\t${name}`]));
    expect(refusal(job)).toMatchObject({
      state: 'failed',
      reason: 'not-an-app',
      message: expect.stringMatching(/^Git refuses the content of the repository/),
    });
    expect(await daemon.traces()).toEqual(before);
    expect(await escaped()).toEqual([]);
  });

  test('whose app folder is a link out of the repository', async () => {
    const address = await repository('link', ({ blob }) => [`120000 blob ${blob}\tapps`]);
    expect(refusal(await daemon.install(`${address}#subdirectory=apps`))).toMatchObject({ reason: 'not-found' });
  });

  test('with commands as submodules: none is run or fetched', async () => {
    const evil = join(folder, 'evil-submodule');
    const files = await filesOf(await write({ name: 'with_submodule' }));
    const modules = `[submodule "x"]\n\tpath = x\n\turl = ext::sh -c touch% ${evil}\n`;
    await gitServer.addSpace({ id: 'bob/modules', files: { ...files, '.gitmodules': modules } });
    const job = await daemon.install(`${gitServer.url}/spaces/bob/modules.git`);
    expect(refusal(job)).toMatchObject({ state: 'done' });
    expect(await escaped()).toEqual([]);
  });
});

describe('a package', () => {
  test('with options, paths or commands as names', async () => {
    const evil = join(folder, 'evil-name');
    const replaced = (from: string, to: string): Partial<AppPackage> => ({
      pyproject: (text) => text.replace(from, to),
    });
    const before = await daemon.traces();
    for (const app of [
      { entry: '--help' },
      { entry: '../evil' },
      { entry: `evil; touch ${evil}` },
      { distribution: '--editable' },
      { distribution: '../evil' },
      { distribution: `evil @ file://${folder}/evil` },
      { module: 'os' },
      replaced('.main:App"', `.main:App; import os; os.mknod('${evil}')"`),
      replaced('.main:App"', `.main:$(touch ${evil})"`),
      { dependencies: [`--index-url=http://127.0.0.1:9/`] },
      { dependencies: ['robot-sdk', `evil @ file://${folder}/evil`] },
      { dependencies: ['robot-sdk', `evil @ git+ext::sh -c touch% ${evil}`] },
    ] satisfies Partial<AppPackage>[]) {
      expect({ app, ...refusal(await install({ name: 'named', ...app })) }).toMatchObject({
        app,
        reason: 'not-an-app',
      });
    }
    expect(await daemon.traces()).toEqual(before);
    expect(await escaped()).toEqual([]);
  });

  test('in a folder whose name is an option and a command', async () => {
    const job = await daemon.install(await write({ name: 'odd_folder' }, '--target=$(touch bad); odd @ x[y]'));
    expect(refusal(job)).toMatchObject({ state: 'done' });
    expect(await escaped()).toEqual([]);
  });

  test('with a pyproject.toml of 5 MB', async () => {
    const pyproject = (text: string) => `${text}\n# ${'evil '.repeat(1_000_000)}\n`;
    expect(refusal(await install({ name: 'large_pyproject', pyproject }))).toMatchObject({
      reason: 'not-an-app',
      message: 'pyproject.toml is larger than 256 KB.',
    });
  });

  test('with a README of 50 MB whose front matter expands without limit', async () => {
    const levels = Array.from({ length: 20 }, (_, n) => `a${n + 1}: &a${n + 1} [${`*a${n}, `.repeat(9)}*a${n}]`);
    const bomb = ['a0: &a0 evil', ...levels].join('\n');
    const readme = `---\n${bomb}\ntags: *a20\n---\n${'evil '.repeat(10_000_000)}`;
    const job = await install({ name: 'large_readme', readme });
    expect(refusal(job)).toMatchObject({ state: 'done' });
    const { lines } = (await daemon.get(`/api/jobs/${job.id}/log`)).body;
    expect(lines).toContainEqual(expect.stringMatching(/^warning: The front matter of README.md cannot be read/));
  });
});
