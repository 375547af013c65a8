/** Requests to a hub that behaves like the real one, and to one that misbehaves. */
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '../shared/logger.ts';
import { type FakeHub, type FileContent, startFakeHub } from '../testing/fake-hub.ts';
import { HubError } from './errors.ts';
import { HubClient } from './hub-client.ts';
import type { HubTimeouts } from './hub-deadlines.ts';
import type { HubFile } from './repository-files.ts';

const TAG = 'robot_python_app';
const TOKEN = 'hf_of_ada';
const dance = { type: 'space', id: 'ada/dance' } as const;
const readme = (title: string) =>
  `---\ntitle: ${title}\nemoji: 💃\nshort_description: Moves.\ntags:\n  - ${TAG}\n---\n# ${title}\n`;
const large = Buffer.alloc(3_000_000, 'large');
const package_: Readonly<Record<string, FileContent>> = {
  'README.md': readme('Dance'),
  'pyproject.toml': '[project]\nname = "dance"\n',
  'dance/__init__.py': '',
  'dance/main.py': 'print("ünïcode")\n',
  'dance/a name with # and ?.txt': 'odd',
  'dance/model.bin': { lfs: large },
};

let hub: FakeHub;
let commit: string;
let folder: string;
const never = new AbortController().signal;
const folders: string[] = [];

beforeEach(async () => {
  hub = await startFakeHub();
  ({ sha: commit } = await hub.addSpace({ id: 'ada/dance', files: package_, likes: 7 }));
  folder = await mkdtemp(join(tmpdir(), 'robot-desktop-download-'));
  folders.push(folder);
});
afterEach(async () => {
  await hub[Symbol.asyncDispose]();
  await Promise.all(folders.splice(0).map((path) => rm(path, { recursive: true, force: true })));
});

const refused: string[] = [];
function client(timeouts: Partial<HubTimeouts> = {}, token: string | null = null, hubUrl: string | null = hub.url) {
  return new HubClient({
    hubUrl,
    token: async () => token,
    onTokenRefused: (which) => refused.push(which),
    log: createLogger('error'),
    timeouts: { answerMs: 20_000, stallMs: 10_000, retryMs: 20, retriesMs: 1_500, ...timeouts },
  });
}
async function errorKindOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => 'none',
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof HubError)) throw error;
  expect(error.message).toMatch(/[.]$/);
  expect(error.action).toMatch(/[.]$/);
  return error.kind;
}
async function listed(from: HubClient) {
  const apps = [];
  for await (const app of from.listApps(TAG, never)) apps.push(app);
  return apps;
}
async function download(from: HubClient, files?: readonly HubFile[], signal = never): Promise<number> {
  let bytes = 0;
  const wanted = files ?? (await from.files(dance, commit, never));
  await from.download(dance, commit, wanted, folder, {
    signal,
    onBytes: (more) => {
      bytes += more;
    },
  });
  return bytes;
}
const filesIn = async () =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

describe('the list of apps', () => {
  test('has the description of each app, and no Space without the tag', async () => {
    await hub.addSpace({ id: 'bob/page', files: { 'README.md': '# not an app' } });
    expect(await listed(client())).toEqual([
      {
        id: 'ada/dance',
        commit,
        author: 'ada',
        title: 'Dance',
        description: 'Moves.',
        emoji: '💃',
        likes: 7,
        private: false,
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: expect.stringMatching(/Z$/),
        tags: expect.arrayContaining([TAG]),
      },
    ]);
  });

  test('has more than one page', async () => {
    for (let number = 0; number < 1_100; number += 1) {
      await hub.addSpace({ id: `many/app-${number}`, files: { 'README.md': readme(`App ${number}`) } });
    }
    const ids = (await listed(client())).map(({ id }) => id);
    expect(new Set(ids).size).toBe(1_101);
    expect(hub.requests.filter(({ path }) => path.startsWith('/api/spaces?')).length).toBeGreaterThan(2);
  });

  test('has private apps with a token that may read them', async () => {
    await hub.addSpace({ id: 'ada/secret', files: { 'README.md': readme('Secret') }, private: true });
    hub.addToken(TOKEN, { name: 'ada', role: 'read' });
    expect((await listed(client())).map(({ id }) => id)).toEqual(['ada/dance']);
    const mine = await listed(client({}, TOKEN));
    expect(new Map(mine.map((app) => [app.id, app.private]))).toEqual(
      new Map([
        ['ada/dance', false],
        ['ada/secret', true],
      ]),
    );
  });
});

describe('one Space', () => {
  test('is resolved at its main branch, another branch or a commit', async () => {
    const first = commit;
    const { sha } = await hub.commit('ada/dance', { 'pyproject.toml': '[project]\nname = "dance"\nversion = "2"\n' });
    const { resolve } = { resolve: (revision: string | null) => client().resolve('ada/dance', revision, never) };
    expect(await resolve(null)).toMatchObject({ id: 'ada/dance', commit: sha, private: false, title: 'Dance' });
    expect((await resolve('main')).commit).toBe(sha);
    expect((await resolve(first)).commit).toBe(first);
  });

  test('is not found under another name or at another commit', async () => {
    for (const [id, revision] of [
      ['nobody/nothing', null],
      ['ada/dance', 'no-such-branch'],
      ['ada/dance', '../../../whoami-v2'],
      ['ada/dance', '..'],
      ['../api', null],
      ['ada', null],
      ['ada/../bob', null],
    ] as const) {
      expect(await errorKindOf(client().resolve(id, revision, never)), `${id} at ${revision}`).toBe('not-found');
    }
  });

  test('that is private is found only with the token of its owner', async () => {
    const { sha } = await hub.addSpace({ id: 'ada/secret', files: package_, private: true });
    hub.addToken(TOKEN, { name: 'ada', role: 'read' });
    hub.addToken('hf_of_eve', { name: 'eve', role: 'read' });
    expect(await errorKindOf(client().resolve('ada/secret', null, never))).toBe('not-found');
    expect(await errorKindOf(client({}, 'hf_of_eve').resolve('ada/secret', null, never))).toBe('not-found');
    const mine = client({}, TOKEN);
    expect(await mine.resolve('ada/secret', null, never)).toMatchObject({ commit: sha, private: true });
    const files = await mine.files({ type: 'space', id: 'ada/secret' }, sha, never);
    await mine.download({ type: 'space', id: 'ada/secret' }, sha, files, folder, { signal: never, onBytes: () => {} });
    expect(await filesIn()).toHaveLength(files.length);
  });

  test('is not found with an unknown token, and the failure says so', async () => {
    refused.length = 0;
    expect(await errorKindOf(client({}, 'hf_old').resolve('ada/dance', null, never))).toBe('auth');
    expect(refused).toEqual(['hf_old']);
  });
});

describe('a download', () => {
  test('has every file of the hub, large ones too, and reports its progress', async () => {
    const from = client();
    const files = await from.files(dance, commit, never);
    const sizes = Object.fromEntries(files.map(({ path, size }) => [path, size]));
    expect(sizes).toMatchObject({ 'dance/__init__.py': 0, 'dance/model.bin': large.length, 'dance/main.py': 19 });
    expect(await download(from, files)).toBe(files.reduce((sum, { size }) => sum + size, 0));
    for (const [path, content] of Object.entries(package_)) {
      const expected = typeof content === 'object' && 'lfs' in content ? content.lfs : Buffer.from(content);
      expect((await readFile(join(folder, path))).equals(expected)).toBe(true);
    }
  });

  test('sends the token to the hub, and not to the store of large files', async () => {
    hub.addToken(TOKEN, { name: 'ada', role: 'read' });
    await download(client({}, TOKEN));
    const tokensSentTo = (start: string) =>
      hub.requests.filter(({ path }) => path.startsWith(start)).map((request) => request.authorization);
    expect(new Set(tokensSentTo('/spaces/'))).toEqual(new Set([`Bearer ${TOKEN}`]));
    expect(new Set(tokensSentTo('/large-files/'))).toEqual(new Set([null]));
  });

  test('requests each file once', async () => {
    await download(client());
    const asked = hub.requests.filter(({ path }) => path.includes('/resolve/')).map(({ path }) => path);
    expect(asked).toHaveLength(new Set(asked).size);
  });

  test('does not accept a pointer instead of the large file', async () => {
    const oid = createHash('sha256').update(large).digest('hex');
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${large.length}\n`;
    await hub.commit('ada/dance', { 'pointer.bin': pointer, '.gitattributes': '' });
    const { commit: newest } = await client().resolve('ada/dance', null, never);
    const file = { path: 'pointer.bin', size: pointer.length, sha256: null };
    const from = client();
    const saved = from.download(dance, newest, [file], folder, { signal: never, onBytes: () => {} });
    expect(await errorKindOf(saved)).toBe('broken');
  });

  test('is refused when a file differs from the list', async () => {
    const file = { path: 'pyproject.toml', size: 5, sha256: null };
    expect(await errorKindOf(download(client(), [file]))).toBe('broken');
    const longer = { path: 'README.md', size: 5_000, sha256: null };
    expect(await errorKindOf(download(client(), [longer]))).toBe('broken');
    const other = { path: 'dance/model.bin', size: large.length, sha256: 'a'.repeat(64) };
    expect(await errorKindOf(download(client(), [other]))).toBe('broken');
  });

  test('overwrites nothing', async () => {
    await download(client());
    await expect(download(client())).rejects.toMatchObject({ code: 'EEXIST' });
  });

  test('is refused with a file name that leads out of the folder', async () => {
    for (const path of [
      '../up',
      '/etc/passwd',
      'a/../../b',
      'a\\b',
      'C:/x',
      'a//b',
      'a/./b',
      '',
      'a\0b',
      '.git/config',
      'x/.GIT/config',
    ]) {
      expect(await errorKindOf(download(client(), [{ path, size: 1, sha256: null }])), path).toBe('broken');
    }
    expect(hub.requests).toEqual([]);
  });

  test('can be cancelled at any time, and then writes nothing more', async () => {
    hub.misbehave({ bytesPerSecond: 200_000 });
    const cancel = new AbortController();
    const from = client();
    const files = await from.files(dance, commit, never);
    let bytes = 0;
    const work = from.download(dance, commit, files, folder, {
      signal: cancel.signal,
      onBytes: (more) => {
        bytes += more;
        if (bytes > 20_000) cancel.abort(new Error('the user has had enough'));
      },
    });
    await expect(work).rejects.toThrow('the user has had enough');
    const sizes = async () => (await stat(join(folder, 'dance', 'model.bin'))).size;
    const before = await sizes();
    expect(before).toBeLessThan(large.length);
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(await sizes()).toBe(before);
  });
});

describe('a model', () => {
  const tiny = { type: 'model', id: 'ada/tiny' } as const;
  const addModel = (more: object = {}) =>
    hub.addModel({ id: tiny.id, files: { 'README.md': '# tiny', 'q4/tiny.gguf': { lfs: large } }, ...more });
  const bytesOf = async (stream: Promise<AsyncIterable<Uint8Array>>) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of await stream) chunks.push(chunk);
    return Buffer.concat(chunks);
  };

  test('is resolved, listed, and read from an offset, also when the hub ignores ranges', async () => {
    const { sha } = await addModel();
    const from = client();
    expect(await from.resolveModel(tiny.id, null, never)).toBe(sha);
    expect(await from.resolveModel(tiny.id, sha, never)).toBe(sha);
    const file = (await from.files(tiny, sha, never)).find(({ path }) => path === 'q4/tiny.gguf') as HubFile;
    expect(file).toEqual({
      path: 'q4/tiny.gguf',
      size: large.length,
      sha256: createHash('sha256').update(large).digest('hex'),
    });
    const asked = hub.requests.length;
    expect((await bytesOf(from.open(tiny, sha, file, 2_000_001, never))).equals(large.subarray(2_000_001))).toBe(true);
    expect(hub.requests.slice(asked).map(({ range }) => range)).toEqual(Array(2).fill('bytes=2000001-2999999'));
    hub.misbehave({ ignoreRange: true });
    expect((await bytesOf(from.open(tiny, sha, file, 2_000_001, never))).equals(large.subarray(2_000_001))).toBe(true);
    expect((await bytesOf(from.open(tiny, sha, file, 0, never))).equals(large)).toBe(true);
  });

  test('that is missing, or restricted to other accounts, is called a model in the error', async () => {
    const { sha } = await addModel({ gatedTo: ['bob'] });
    const from = client();
    const [file] = (await from.files(tiny, sha, never)).filter(({ sha256 }) => sha256 !== null) as [HubFile];
    const sentence = (work: Promise<unknown>) =>
      work.then(String, ({ kind, message }: HubError) => `${kind}: ${message}`);
    expect([
      await sentence(from.resolveModel('ada/gone', null, never)),
      await sentence(from.resolveModel(tiny.id, 'gone', never)),
      await sentence(from.resolveModel('..', null, never)),
      await sentence(bytesOf(from.open(tiny, sha, file, 0, never))),
    ]).toEqual([
      'not-found: The hub has no model ada/gone, or it is private.',
      'not-found: Model ada/tiny has no such branch, tag or commit.',
      'not-found: ".." is not the name of a model.',
      'auth: File q4/tiny.gguf in model ada/tiny is restricted to some accounts.',
    ]);
  });
});

test('only the beginning of a long text is read', async () => {
  await hub.commit('ada/dance', { 'long.md': 'ä'.repeat(2_000_000) });
  const { commit: newest } = await client().resolve('ada/dance', null, never);
  const read = (path: string, bytes: number) => client().readFile(dance, newest, path, bytes, never);
  expect(await read('long.md', 1_000)).toBe('ä'.repeat(500));
  expect(await read('pyproject.toml', 1_000)).toBe(package_['pyproject.toml']);
  expect(await read('dance/__init__.py', 1_000)).toBe('');
  expect(await errorKindOf(read('nothing.md', 1_000))).toBe('not-found');
});

test('a token gives the name of its account; an invalid token is not sent', async () => {
  hub.addToken(TOKEN, { name: 'ada', role: 'read' });
  expect(await client().whoAmI(TOKEN, never)).toEqual({ name: 'ada', isReadOnly: true });
  expect(await errorKindOf(client().whoAmI('hf_unknown', never))).toBe('auth');
  const before = hub.requests.length;
  expect(await errorKindOf(client().whoAmI('something else', never))).toBe('auth');
  expect(hub.requests).toHaveLength(before);
});

describe('a hub that', () => {
  const asking = async (from: HubClient) => [
    await errorKindOf(listed(from)),
    await errorKindOf(from.resolve('ada/dance', null, never)),
    await errorKindOf(from.files(dance, commit, never)),
  ];
  const all = async (from: HubClient) => [
    ...(await asking(from)),
    await errorKindOf(download(from, [{ path: 'pyproject.toml', size: 25, sha256: null }])),
    await errorKindOf(from.readFile(dance, commit, 'pyproject.toml', 100, never)),
  ];

  test('is busy gets the request again after its retry-after', async () => {
    hub.misbehave({ status: 429, retryAfterS: 1 });
    setTimeout(() => hub.misbehave({}), 500);
    expect((await client().resolve('ada/dance', null, never)).commit).toBe(commit);
    expect(hub.requests).toHaveLength(2);
  });

  test('fails for a moment gets the request again', async () => {
    hub.misbehave({ status: 500 });
    setTimeout(() => hub.misbehave({}), 50);
    expect(await listed(client({ retryMs: 60 }))).toHaveLength(1);
  });

  test('stays busy gets at most three more requests', async () => {
    hub.misbehave({ status: 429 });
    expect(await errorKindOf(client().resolve('ada/dance', null, never))).toBe('rate-limited');
    expect(hub.requests).toHaveLength(4);
  });

  test('has a long retry-after gets no second request', async () => {
    hub.misbehave({ status: 429, retryAfterS: 3_600 });
    expect(await errorKindOf(client().resolve('ada/dance', null, never))).toBe('rate-limited');
    expect(hub.requests).toHaveLength(1);
  });

  test('keeps failing gives an error', async () => {
    hub.misbehave({ status: 503 });
    expect(new Set(await all(client({ retryMs: 1 })))).toEqual(new Set(['broken']));
  });

  test('is replaced by the page of a captive portal gives an error', async () => {
    hub.misbehave({ garbage: true });
    expect(new Set(await asking(client()))).toEqual(new Set(['broken']));
  });

  test('sends other bytes of a large file gives an error', async () => {
    const from = client();
    const files = await from.files(dance, commit, never);
    hub.misbehave({ garbage: true });
    expect(
      await errorKindOf(
        download(
          from,
          files.filter(({ sha256 }) => sha256 !== null),
        ),
      ),
    ).toBe('broken');
  });

  test('never answers gives an error', async () => {
    hub.misbehave({ hang: true });
    expect(new Set(await all(client({ answerMs: 100 })))).toEqual(new Set(['stalled']));
  });

  test('stalls in the middle of a file gives an error', async () => {
    const from = client({ stallMs: 300 });
    hub.misbehave({ hangAfterBytes: 100_000 });
    expect(await errorKindOf(download(from))).toBe('stalled');
  });

  test('closes the connection in the middle of a file gives an error', async () => {
    const from = client();
    hub.misbehave({ stopAfterBytes: 100_000 });
    expect(await errorKindOf(download(from))).toBe('unreachable');
  });

  test('closes the connection in the middle of a list gives an error', async () => {
    hub.misbehave({ stopAfterBytes: 20, only: /^\/api\// });
    expect(new Set(await asking(client()))).toEqual(new Set(['unreachable']));
  });

  test('redirects to a forbidden address gives an error', async () => {
    for (const redirectTo of [
      'http://localhost:1/x',
      'http://169.254.169.254/x',
      'file:///etc/passwd',
      'https://a:b@example.com/',
    ]) {
      hub.misbehave({ redirectTo });
      await rm(folder, { recursive: true });
      expect(new Set(await all(client()))).toEqual(new Set(['refused-address']));
    }
  });

  test('is unreachable gives an error', async () => {
    const { url } = hub;
    await hub[Symbol.asyncDispose]();
    expect(new Set(await all(client({}, null, url)))).toEqual(new Set(['unreachable']));
    hub = await startFakeHub();
  });

  test('is slow is waited for as long as bytes arrive', async () => {
    hub.misbehave({ bytesPerSecond: 20_000, only: /main\.py|README/ });
    expect(await download(client())).toBeGreaterThan(large.length);
  });
});

test("the default hub is the library's", async () => {
  expect(await client({}, null, null).address()).toMatch(/^https:\/\/[\w.]+$/);
  expect(await client({}, null, 'http://hub.lan:8080//').address()).toBe('http://hub.lan:8080');
});
