import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  commit,
  createRepo,
  deleteRepo,
  downloadFile,
  HubApiError,
  listFiles,
  listSpaces,
  pathsInfo,
  spaceInfo,
  uploadFiles,
  whoAmI,
} from '@huggingface/hub';
import { expect, onTestFinished, test } from 'vitest';
import { type CommandFailed, runCommand } from '../shared/processes/run-command.ts';
import { gitEnvironment } from './fake-hub/repository/git.ts';
import { type FakeHub, startFakeHub } from './fake-hub.ts';

const README = '---\ntitle: Wave\nsdk: static\ntags:\n  - robot_app\n---\n# Wave\n';
const wave = { type: 'space', name: 'ada/wave' } as const;

async function hubWithAda(): Promise<FakeHub> {
  const hub = await startFakeHub();
  hub.addToken('hf_ada', { name: 'ada', role: 'write' });
  hub.addToken('hf_bob', { name: 'bob', role: 'read' });
  return hub;
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'robot-desktop-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const asAda = (hub: FakeHub) => ({ hubUrl: hub.url, accessToken: 'hf_ada' });
const statusAndBody = (error: unknown) => (error instanceof HubApiError ? [error.statusCode, error.data] : error);
const textOf = async (blob: Blob | null) => blob && (await blob.text());

test('six hundred spaces are listed in pages, sorted, and filtered by tag, owner and text', async () => {
  await using hub = await hubWithAda();
  for (let i = 0; i < 600; i++) {
    const id = `ada/app-${String(i).padStart(3, '0')}`;
    await hub.addSpace({ id, files: { 'README.md': README }, likes: i, tags: i % 2 ? ['odd'] : [] });
  }
  await hub.addSpace({ id: 'bob/hidden', files: { 'README.md': README }, private: true });
  await hub.addSpace({ id: 'bob/other', files: { 'README.md': '# No card' }, sdk: 'gradio', title: 'Moonwalk' });

  const names = async (search: object, more: object = {}) => {
    const found: string[] = [];
    for await (const { name } of listSpaces({ hubUrl: hub.url, search, ...more })) found.push(name);
    return found;
  };
  const tagged = await names({ tags: ['robot_app'] }, { sort: 'likes' });
  expect([tagged.length, tagged.at(0), tagged.at(-1)]).toEqual([600, 'ada/app-599', 'ada/app-000']);
  expect(hub.requests.map(({ path }) => /limit=500.*cursor=/.test(path))).toEqual([false, true]);
  expect(await names({ tags: ['robot_app', 'odd'] })).toHaveLength(300);
  expect(await names({ query: 'app-01' }, { sort: 'id' })).toEqual(
    Array.from({ length: 10 }, (_, i) => `ada/app-01${9 - i}`),
  );
  expect(await names({ query: 'moonwalk' })).toEqual(['bob/other']);
  expect(await names({ owner: 'bob' })).toEqual(['bob/other']);
  expect((await names({ owner: 'bob' }, { accessToken: 'hf_bob' })).sort()).toEqual(['bob/hidden', 'bob/other']);
});

test('the JavaScript client reads a space: its facts, its files, old revisions, large files and parts of them', async () => {
  await using hub = await hubWithAda();
  const large = randomBytes(3_000_000);
  const files = { 'README.md': README, 'wave/main.py': 'print("wave")\n', 'wave/model.bin': { lfs: large } };
  const created = '2025-03-01T12:00:00.000Z';
  const first = await hub.addSpace({ id: 'ada/wave', files, likes: 3, createdAt: created });
  const facts = await spaceInfo({ ...asAda(hub), name: 'ada/wave', additionalFields: ['sha', 'tags', 'cardData'] });
  expect(facts).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{24}$/),
    name: 'ada/wave',
    sdk: 'static',
    likes: 3,
    private: false,
    updatedAt: new Date(created),
    sha: first.sha,
    tags: ['static', 'robot_app', 'region:us'],
    cardData: { title: 'Wave', sdk: 'static', tags: ['robot_app'] },
  });

  const second = await hub.commit('ada/wave', { 'wave/main.py': 'print("again")\n', 'wave/with space é.txt': 'é' });
  const paths: [string, string, number, boolean][] = [];
  for await (const file of listFiles({ ...asAda(hub), repo: wave, recursive: true })) {
    paths.push([file.path, file.type, file.size, file.lfs !== undefined]);
  }
  expect(paths).toEqual([
    ['.gitattributes', 'file', expect.any(Number), false],
    ['README.md', 'file', README.length, false],
    ['wave', 'directory', 0, false],
    ['wave/main.py', 'file', 15, false],
    ['wave/model.bin', 'file', 3_000_000, true],
    ['wave/with space é.txt', 'file', 2, false],
  ]);
  const [info] = await pathsInfo({ ...asAda(hub), repo: wave, paths: ['wave/main.py', 'gone'], expand: true });
  expect([info?.path, info?.lastCommit.id]).toEqual(['wave/main.py', second.sha]);

  const read = (path: string, more: object = {}) => downloadFile({ ...asAda(hub), repo: wave, path, ...more });
  expect(await textOf(await read('wave/main.py'))).toBe('print("again")\n');
  expect(await textOf(await read('wave/main.py', { revision: first.sha }))).toBe('print("wave")\n');
  expect(await textOf(await read('wave/with%20space%20%C3%A9.txt'))).toBe('é');
  expect(await textOf(await read('wave/model.bin', { raw: true }))).toMatch(
    /^version .*\noid sha256:.*\nsize 3000000\n$/,
  );
  expect(await read('gone.py')).toBeNull();
  const model = await read('wave/model.bin');
  expect(Buffer.from(await (model as Blob).arrayBuffer()).equals(large)).toBe(true);
  const part = await (model as Blob).slice(1_000_000, 1_000_005).arrayBuffer();
  expect(Buffer.from(part)).toEqual(large.subarray(1_000_000, 1_000_005));

  await expect(read('README.md', { revision: 'gone' }).catch(statusAndBody)).resolves.toEqual([
    404,
    { error: 'Invalid rev id: gone' },
  ]);
  const missing = (accessToken: string) =>
    spaceInfo({ hubUrl: hub.url, name: 'ada/gone', accessToken }).catch(statusAndBody);
  expect(await missing('hf_ada')).toEqual([404, { error: 'Repository not found' }]);
  expect(await missing('hf_gone')).toEqual([401, { error: 'Invalid credentials in Authorization header' }]);
});

test('the store of large files refuses requests with a token', async () => {
  await using hub = await hubWithAda();
  await hub.addSpace({ id: 'ada/wave', files: { 'model.bin': { lfs: Buffer.from('weights') } } });
  const response = await fetch(`${hub.url}/spaces/ada/wave/resolve/main/model.bin`, { redirect: 'manual' });
  const address = response.headers.get('location') ?? '';
  expect([response.status, response.headers.get('x-linked-size')]).toEqual([302, '7']);
  expect(new URL(address).origin).not.toBe(hub.url);
  const get = async (url: string, headers = {}) => {
    const { status } = await fetch(url, { headers });
    return status;
  };
  expect(await get(address)).toBe(200);
  expect(await get(address, { Authorization: 'Bearer hf_ada' })).toBe(400);
  expect(await get(address.replace(/Signature=.*/, 'Signature=0'))).toBe(403);
});

test('the JavaScript client creates, fills and deletes a space', async () => {
  await using hub = await hubWithAda();
  const me = await whoAmI(asAda(hub));
  expect([me.name, me.auth.accessToken?.role]).toEqual(['ada', 'write']);
  const made = await createRepo({ ...asAda(hub), repo: wave, sdk: 'static', visibility: 'private' });
  expect(made.repoUrl).toBe(`${hub.url}/spaces/ada/wave`);
  expect(await createRepo({ ...asAda(hub), repo: wave, sdk: 'static' }).catch(statusAndBody)).toEqual([
    409,
    { error: 'You already created this space repo', url: made.repoUrl },
  ]);

  const large = Buffer.alloc(11 * 1024 * 1024, 5);
  const sent = await uploadFiles({
    ...asAda(hub),
    repo: wave,
    files: [
      { path: 'README.md', content: new Blob([README]) },
      { path: 'large.wav', content: new Blob([large]) },
    ],
  });
  const changed = await commit({
    ...asAda(hub),
    repo: wave,
    title: 'Tidy up',
    operations: [
      { operation: 'delete', path: 'README.md' },
      { operation: 'addOrUpdate', path: 'app.py', content: new Blob(['1']) },
    ],
  });
  const facts = await spaceInfo({ ...asAda(hub), name: 'ada/wave', additionalFields: ['sha'] });
  expect([facts.private, facts.sha]).toEqual([true, changed?.commit.oid]);
  const got = await downloadFile({ ...asAda(hub), repo: wave, path: 'large.wav' });
  expect(Buffer.from(await (got as Blob).arrayBuffer()).equals(large)).toBe(true);
  const before = await downloadFile({ ...asAda(hub), repo: wave, path: 'README.md', revision: sent?.commit.oid ?? '' });
  expect(await textOf(before)).toBe(README);

  const again = { ...wave, name: 'ada/again' };
  for (const title of ['One', 'Two']) {
    await createRepo({ ...asAda(hub), repo: again, sdk: 'static' });
    await uploadFiles({ ...asAda(hub), repo: again, files: [{ path: 'title', content: new Blob([title]) }] });
    expect(await textOf(await downloadFile({ ...asAda(hub), repo: again, path: 'title' }))).toBe(title);
    await deleteRepo({ ...asAda(hub), repo: again });
  }

  const foreign = { hubUrl: hub.url, accessToken: 'hf_bob', repo: wave };
  expect(await deleteRepo(foreign).catch(statusAndBody)).toEqual([403, { error: expect.stringContaining('"ada"') }]);
  await deleteRepo({ ...asAda(hub), repo: wave });
  expect(await spaceInfo({ ...asAda(hub), name: 'ada/wave' }).catch(statusAndBody)).toEqual([
    404,
    { error: 'Repository not found' },
  ]);
});

test('git clones a space, fetches a commit by its id, and pushes with a token', async () => {
  await using hub = await hubWithAda();
  const folder = await newFolder();
  const git = (...args: string[]) => {
    const options = { env: gitEnvironment, cwd: folder, deadlineMs: 20_000 };
    return runCommand('git', args, options).catch(({ exitCode, lines }: CommandFailed) => [exitCode, ...lines]);
  };
  const first = await hub.addSpace({
    id: 'ada/wave',
    files: { 'README.md': README, 'a/b.txt': 'one', 'a.txt': '', 'a-b': '' },
  });
  const second = await hub.commit('ada/wave', { 'a/b.txt': 'two', 'README.md': null });
  await hub.commit('ada/wave', { a: null, 'c.txt': 'three' });

  await git('clone', '--depth=1', `${hub.url}/spaces/ada/wave`, 'clone');
  expect(await git('-C', 'clone', 'ls-files')).toEqual(['a-b', 'a.txt', 'c.txt']);
  await git('-C', 'clone', 'fetch', '--depth=1', 'origin', second.sha);
  expect(await git('-C', 'clone', 'ls-tree', '-r', '--name-only', 'FETCH_HEAD')).toEqual(['a-b', 'a.txt', 'a/b.txt']);
  await git('-C', 'clone', 'fetch', '--unshallow', 'origin', 'main');
  expect(await git('-C', 'clone', 'rev-list', '--max-parents=0', 'FETCH_HEAD')).toEqual([first.sha]);

  await writeFile(join(folder, 'clone', 'README.md'), README.replace('Wave', 'Pushed'));
  await git('-C', 'clone', 'add', '.');
  await git('-C', 'clone', '-c', 'user.name=Ada', '-c', 'user.email=ada@hub.invalid', 'commit', '-m', 'Push');
  expect((await git('-C', 'clone', 'push', 'origin', 'main'))[0]).toBe(128);
  const address = (token: string) => hub.url.replace('//', `//ada:${token}@`);
  expect((await git('-C', 'clone', 'push', `${address('hf_bob')}/spaces/ada/wave.git`, 'main'))[0]).toBe(128);
  await git('-C', 'clone', 'push', `${address('hf_ada')}/spaces/ada/wave.git`, 'main');
  const [pushed] = await git('-C', 'clone', 'rev-parse', 'HEAD');
  const facts = await spaceInfo({ hubUrl: hub.url, name: 'ada/wave', additionalFields: ['sha', 'cardData'] });
  expect([facts.sha, facts.cardData]).toEqual([pushed, expect.objectContaining({ title: 'Pushed' })]);

  await hub.addSpace({ id: 'ada/hidden', files: { 'README.md': README }, private: true });
  expect((await git('clone', `${hub.url}/spaces/ada/hidden`, 'no'))[0]).toBe(128);
  expect((await git('clone', `${address('hf_bob')}/spaces/ada/hidden`, 'no'))[0]).toBe(128);
  await git('clone', `${address('hf_ada')}/spaces/ada/hidden`, 'hidden');
  expect(await readFile(join(folder, 'hidden', 'README.md'), 'utf8')).toBe(README);
});

test('a large file is downloaded through git’s batch interface', async () => {
  await using hub = await hubWithAda();
  await hub.addSpace({ id: 'ada/wave', files: { 'model.bin': { lfs: Buffer.from('weights') } } });
  const pointer = await (await fetch(`${hub.url}/spaces/ada/wave/raw/main/model.bin`)).text();
  const oid = /sha256:(\w+)/.exec(pointer)?.[1];
  const gone = '0'.repeat(64);
  const batch = await fetch(`${hub.url}/spaces/ada/wave.git/info/lfs/objects/batch`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/vnd.git-lfs+json' },
    body: JSON.stringify({
      operation: 'download',
      transfers: ['basic'],
      objects: [
        { oid, size: 7 },
        { oid: gone, size: 1 },
      ],
    }),
  });
  const { objects } = (await batch.json()) as { objects: { actions?: { download: { href: string } } }[] };
  expect(objects[1]).toEqual({
    oid: gone,
    size: 1,
    authenticated: true,
    error: { code: 404, message: 'Object does not exist' },
  });
  expect(await (await fetch(objects[0]?.actions?.download.href ?? '')).text()).toBe('weights');
});
