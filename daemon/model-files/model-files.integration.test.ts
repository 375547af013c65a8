/** Model files from the tests' hub, over real HTTP. */
import { appendFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HubError } from '../hub/errors.ts';
import { StorageError } from '../shared/files/storage-errors.ts';
import { type FakeHub, startFakeHub } from '../testing/fake-hub.ts';
import { modelFilesIn } from '../testing/models/model-files-in.ts';
import { tinyGguf } from '../testing/models/tiny-gguf.ts';
import { movableClock } from '../testing/movable-clock.ts';
import { ModelFileError } from './errors.ts';
import type { ModelProgress } from './local-copies.ts';
import type { WantedModel } from './model-choice.ts';
import type { ModelFiles } from './model-files.ts';
import type { ModelUser } from './model-inventory.ts';

const tiny = tinyGguf();
const repository = 'ada/tiny-gguf';
const files = { 'README.md': '# Tiny', 'q8/tiny.gguf': { lfs: tiny }, 'q4/tiny.gguf': { lfs: tinyGguf({ seed: 2 }) } };
const wanted: WantedModel = { repository, revision: null, model: 'q8/tiny.gguf', mmproj: null, draft: null };
const never = new AbortController().signal;
/** The time between two pieces of a slow download. */
const PIECE_MS = 50;

/** Of the hub alone: a slow download arrives as fast as a test moves it. */
const clock = movableClock();
let hub: FakeHub;
let commit: string;
let folder: string;
let users: ModelUser[];

beforeEach(async () => {
  hub = await startFakeHub(clock);
  ({ sha: commit } = await hub.addModel({ id: repository, files }));
  folder = await mkdtemp(join(tmpdir(), 'robot-desktop-models-'));
  users = [];
});
afterEach(async () => {
  hub.misbehave({});
  await hub[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** The model files after a start of the daemon: nothing is in memory. */
const modelFiles = ({ hubUrl = hub.url, ...more }: { reserveBytes?: number; hubUrl?: string } = {}) =>
  modelFilesIn(folder, hubUrl, { users: async () => users, ...more });
const ensure = (from: ModelFiles, more: Partial<WantedModel> = {}, signal = never, onProgress = () => {}) =>
  from.ensure({ ...wanted, ...more }, { signal, onProgress });
const atCommit = (sha: string, path = 'q8/tiny.gguf') => join(folder, 'ada--tiny-gguf', sha, ...path.split('/'));
const transfers = () => hub.requests.filter(({ path }) => path.startsWith('/large-files/'));
async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => 'none',
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ModelFileError || error instanceof HubError || error instanceof StorageError)) throw error;
  expect(`${error.message} ${error.action}`).toMatch(/^.+[.] [A-Z].*[.]$/);
  return `${error instanceof StorageError ? error.code : error.kind}: ${error.message}`;
}
/** Downloads until some bytes are on the disk, then aborts. */
async function interrupted(from: ModelFiles, bytes: number): Promise<void> {
  hub.misbehave({ bytesPerSecond: 400_000, only: /^\/large-files/ });
  const ending = new AbortController();
  const work = ensure(from, {}, ending.signal);
  const part = `${atCommit(commit)}.part`;
  const arrived = () =>
    stat(part).then(
      ({ size }) => size,
      () => 0,
    );
  while ((await arrived()) < bytes) await clock.pass(PIECE_MS, PIECE_MS);
  ending.abort(new Error('enough'));
  await expect(work).rejects.toThrow('enough');
  hub.misbehave({});
}

test('a model is downloaded once, checked, and has its facts', async () => {
  const from = modelFiles();
  const seen: ModelProgress[] = [];
  const prepared = await from.ensure(wanted, { signal: never, onProgress: (progress) => seen.push(progress) });
  expect(prepared).toEqual({
    modelPath: atCommit(commit),
    mmprojPath: null,
    draftPath: null,
    commit,
    facts: expect.objectContaining({ architecture: 'llama', contextLength: 512, sizeBytes: tiny.length }),
  });
  expect((await readFile(prepared.modelPath)).equals(tiny)).toBe(true);
  expect(await readdir(join(folder, 'ada--tiny-gguf', commit), { recursive: true })).toEqual([
    'q8',
    join('q8', 'tiny.gguf'),
  ]);
  expect(seen.at(-1)).toEqual({ phase: 'verify', doneBytes: tiny.length, totalBytes: tiny.length });
  await ensure(from);
  await ensure(modelFiles());
  expect(transfers()).toHaveLength(1);
});

test('what a daemon left that was killed right after a download is removed by the next use', async () => {
  await ensure(modelFiles());
  const left = `${atCommit(commit)}.part.json`;
  await writeFile(left, '{}');
  await ensure(modelFiles());
  await expect(stat(left)).rejects.toThrow('ENOENT');
});

test('progress grows with each piece that arrives, up to the whole', async () => {
  hub.misbehave({ bytesPerSecond: 350_000, only: /^\/large-files/ });
  const seen: number[] = [];
  const onProgress = ({ phase, doneBytes }: ModelProgress) => {
    if (phase === 'download') seen.push(doneBytes);
  };
  await clock.during(modelFiles().ensure(wanted, { signal: never, onProgress }), PIECE_MS);
  expect(seen.length).toBeGreaterThan(2);
  expect(seen).toEqual(seen.toSorted((one, other) => one - other));
  expect(seen.at(-1)).toBe(tiny.length);
});

describe('the size of a download', () => {
  const sizeOf = (from: ModelFiles, more: Partial<WantedModel> = {}) => from.downloadSize({ ...wanted, ...more });

  test('is that on the hub, without what is here; nothing is written, and the hub is asked once', async () => {
    const from = modelFiles();
    const whole = { totalBytes: tiny.length, missingBytes: tiny.length };
    expect(await Promise.all([sizeOf(from), sizeOf(from, { model: 'q4/tiny.gguf' })])).toEqual([whole, whole]);
    const asked = hub.requests.length;
    expect(await sizeOf(from)).toEqual(whole);
    expect(hub.requests).toHaveLength(asked);
    expect(await readdir(folder)).toEqual([]);
    await interrupted(modelFiles(), 100_000);
    const { size } = await stat(`${atCommit(commit)}.part`);
    expect(await sizeOf(from)).toEqual({ ...whole, missingBytes: tiny.length - size });
    await ensure(from);
    expect(await sizeOf(from)).toEqual({ ...whole, missingBytes: 0 });
    expect(await sizeOf(from, { model: 'q4/tiny.gguf', mmproj: 'q8/tiny.gguf' })).toEqual({
      totalBytes: 2 * tiny.length,
      missingBytes: tiny.length,
    });
  });

  test('is that of the copy while the hub is away, and the reason without one', async () => {
    const away = () => modelFiles({ hubUrl: 'http://127.0.0.1:9' });
    expect(await sizeOf(away())).toMatchObject({ kind: 'unreachable' });
    await ensure(modelFiles());
    expect(await sizeOf(away())).toEqual({ totalBytes: tiny.length, missingBytes: 0 });
    expect(await sizeOf(modelFiles(), { model: 'q5/tiny.gguf' })).toMatchObject({ kind: 'missing' });
    expect(await sizeOf(modelFiles(), { repository: '../..' })).toBeInstanceOf(Error);
  });

  test('is compared with the free space, of which a reserve stays', async () => {
    const from = modelFiles({ reserveBytes: 100 });
    const disk = await from.disk();
    expect(disk).toEqual({ folder, freeBytes: expect.any(Number) });
    expect([from.lackingBytes(0, 0), from.lackingBytes(900, 1_000), from.lackingBytes(901, 1_000)]).toEqual([0, 0, 1]);
  });
});

describe('a commit that is here needs no request', () => {
  test('and a branch is answered by the copy while the hub is away', async () => {
    await ensure(modelFiles());
    const asked = hub.requests.length;
    expect((await ensure(modelFiles(), { revision: commit })).commit).toBe(commit);
    expect(hub.requests).toHaveLength(asked);
    expect((await ensure(modelFiles({ hubUrl: 'http://127.0.0.1:9' }))).modelPath).toBe(atCommit(commit));
    hub.misbehave({ status: 503 });
    expect((await ensure(modelFiles())).commit).toBe(commit);
  });

  test('without a copy the failure of the hub is shown', async () => {
    expect(await refusal(ensure(modelFiles({ hubUrl: 'http://127.0.0.1:9' })))).toMatch(/^unreachable: /);
    expect(await refusal(ensure(modelFiles(), { revision: 'gone' }))).toMatch(
      /^not-found: Model ada\/tiny-gguf has no/,
    );
    expect(await refusal(ensure(modelFiles(), { repository: '../..' }))).toMatch(/^missing: /);
  });
});

describe('a download', () => {
  test('continues where it was cancelled, also after a restart of the daemon', async () => {
    await interrupted(modelFiles(), 100_000);
    const { size } = await stat(`${atCommit(commit)}.part`);
    const asked = transfers().length;
    const { modelPath } = await ensure(modelFiles());
    expect((await readFile(modelPath)).equals(tiny)).toBe(true);
    expect(
      transfers()
        .slice(asked)
        .map(({ range }) => range),
    ).toEqual([`bytes=${size}-${tiny.length - 1}`]);
  });

  test('continues from a hub that ignores ranges', async () => {
    await interrupted(modelFiles(), 100_000);
    hub.misbehave({ ignoreRange: true });
    expect((await readFile((await ensure(modelFiles())).modelPath)).equals(tiny)).toBe(true);
  });

  test('that the hub cuts again and again arrives', async () => {
    hub.misbehave({ stopAfterBytes: 150_000 });
    expect((await readFile((await ensure(modelFiles())).modelPath)).equals(tiny)).toBe(true);
    const starts = transfers().map(({ range }) => Number(/^bytes=(\d+)-/.exec(range ?? '')?.[1] ?? 0));
    expect(starts[0]).toBe(0);
    expect(starts).toEqual([...new Set(starts)].sort((a, b) => a - b)); // each continued the one before
  });

  test('that brings nothing fails in the end, and the next one continues it', async () => {
    hub.misbehave({ status: 503, only: /^\/large-files/ });
    expect(await refusal(ensure(modelFiles()))).toMatch(/^broken: /);
    hub.misbehave({});
    expect((await ensure(modelFiles())).commit).toBe(commit);
  });

  test('with wrong content is repeated once, then refused, and leaves nothing', async () => {
    hub.misbehave({ garbage: true, only: /^\/large-files/ });
    expect(await refusal(ensure(modelFiles()))).toBe(
      "broken: The content of q8/tiny.gguf does not match the hub's list of files, twice.",
    );
    expect(transfers()).toHaveLength(2);
    expect(await modelFiles().list()).toEqual([]);
  });

  test('continues no part that was changed on the disk, or that has no description', async () => {
    await interrupted(modelFiles(), 100_000);
    const part = `${atCommit(commit)}.part`;
    const content = await readFile(part);
    content[5_000] = (content[5_000] ?? 0) ^ 0xff;
    await writeFile(part, content);
    expect((await readFile((await ensure(modelFiles())).modelPath)).equals(tiny)).toBe(true);
    await rm(atCommit(commit));
    await writeFile(part, 'a part of something else');
    expect((await readFile((await ensure(modelFiles())).modelPath)).equals(tiny)).toBe(true);
  });

  test('is shared by callers for the same file; the one that leaves does not end it', async () => {
    hub.misbehave({ bytesPerSecond: 400_000, only: /^\/large-files/ });
    const from = modelFiles();
    const leaving = new AbortController();
    const first = ensure(from, {}, leaving.signal);
    const joined = [null, 'main', commit].map((revision) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      return { work: ensure(from, { revision }, never, resolve), progress: promise };
    });
    await clock.during(Promise.all(joined.map(({ progress }) => progress)), PIECE_MS);
    leaving.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    const prepared = await clock.during(Promise.all(joined.map(({ work }) => work)), PIECE_MS);
    expect(new Set(prepared.map(({ modelPath }) => modelPath))).toEqual(new Set([atCommit(commit)]));
    expect(transfers()).toHaveLength(1);
  });

  test('is refused before its first byte when the disk has too little space', async () => {
    const reserveBytes = 2 ** 60;
    expect(await refusal(ensure(modelFiles({ reserveBytes })))).toMatch(
      new RegExp(`^disk-full: The disk of ${folder} has too little space: [\\d.]+ [GT]B more are needed\\.$`),
    );
    expect(transfers()).toEqual([]);
    await ensure(modelFiles());
    expect((await ensure(modelFiles({ reserveBytes }))).commit).toBe(commit);
  });
});

describe('one content', () => {
  test('is on the disk once, in every commit and repository that has it', async () => {
    const from = modelFiles();
    await ensure(from);
    const { sha: later } = await hub.commit(repository, { 'README.md': '# Newer' }, 'model');
    await hub.addModel({ id: 'bob/copy', files: { 'copy.gguf': { lfs: tiny } } });
    const second = await ensure(from);
    const third = await ensure(from, { repository: 'bob/copy', model: 'copy.gguf' });
    expect(second).toMatchObject({ commit: later, modelPath: atCommit(later) });
    expect(transfers()).toHaveLength(1);
    if (process.platform === 'win32') return;
    const inodes = [atCommit(commit), second.modelPath, third.modelPath].map(async (path) => (await stat(path)).ino);
    expect(new Set(await Promise.all(inodes)).size).toBe(1);
  });

  test('is not taken from a copy that the disk has changed, nor left as a part', async () => {
    await ensure(modelFiles());
    await writeFile(atCommit(commit), Buffer.alloc(tiny.length, 'x'));
    await hub.addModel({ id: 'bob/copy', files: { 'copy.gguf': { lfs: tiny } } });
    const copy = { repository: 'bob/copy', model: 'copy.gguf' };
    const { modelPath } = await ensure(modelFiles(), copy);
    expect((await readFile(modelPath)).equals(tiny)).toBe(true);
    expect(transfers()).toHaveLength(2);

    await rm(atCommit(commit));
    await writeFile(`${atCommit(commit)}.part`, 'left over');
    await ensure(modelFiles());
    expect(transfers()).toHaveLength(2);
    expect(await readdir(join(folder, 'ada--tiny-gguf', commit, 'q8'))).toEqual(['tiny.gguf']);
  });

  test('is downloaded once when two repositories want it at once', async () => {
    await hub.addModel({ id: 'bob/copy', files: { 'copy.gguf': { lfs: tiny } } });
    const from = modelFiles();
    await Promise.all([ensure(from), ensure(from, { repository: 'bob/copy', model: 'copy.gguf' })]);
    expect(transfers()).toHaveLength(1);
  });
});

describe('the file of a model', () => {
  test('is chosen by a pattern; several models are ambiguous, none is missing', async () => {
    expect((await ensure(modelFiles(), { model: '*q4*' })).modelPath).toBe(atCommit(commit, 'q4/tiny.gguf'));
    expect(await refusal(ensure(modelFiles(), { model: '*.gguf' }))).toBe(
      'ambiguous: 2 models in ada/tiny-gguf match *.gguf.',
    );
    expect(await refusal(ensure(modelFiles(), { model: 'gone.gguf' }))).toBe(
      'missing: The model ada/tiny-gguf has no file gone.gguf.',
    );
  });

  test('may have parts, a vision file and a draft model', async () => {
    const name = (part: number) => `big-0000${part}-of-00002.gguf`;
    await hub.addModel({
      id: 'ada/big',
      files: {
        [name(1)]: { lfs: tiny },
        [name(2)]: { lfs: tinyGguf({ seed: 3 }) },
        'mmproj-big.gguf': { lfs: tinyGguf({ seed: 4 }) },
        'draft/small.gguf': { lfs: tinyGguf({ seed: 5 }) },
      },
    });
    const prepared = await ensure(modelFiles(), {
      repository: 'ada/big',
      model: 'big-*.gguf',
      mmproj: 'mmproj-*.gguf',
      draft: 'draft/small.gguf',
    });
    const paths = [prepared.modelPath, prepared.mmprojPath, prepared.draftPath].map((path) => path?.split('/').at(-1));
    expect(paths).toEqual([name(1), 'mmproj-big.gguf', 'small.gguf']);
    expect(prepared.facts.sizeBytes).toBe(2 * tiny.length);
    expect((await modelFiles().list()).map(({ path }) => path)).toEqual([
      name(1),
      name(2),
      'draft/small.gguf',
      'mmproj-big.gguf',
    ]);
  });

  test('that the disk has cut or changed is downloaded again', async () => {
    await ensure(modelFiles());
    await truncate(atCommit(commit), 1_000);
    expect((await readFile((await ensure(modelFiles())).modelPath)).equals(tiny)).toBe(true);
    await writeFile(atCommit(commit), Buffer.alloc(tiny.length, 'x'));
    expect((await readFile((await ensure(modelFiles())).modelPath)).equals(tiny)).toBe(true);
    await truncate(atCommit(commit), 1_000);
    expect(await refusal(ensure(modelFiles({ hubUrl: 'http://127.0.0.1:9' })))).toMatch(/^unreachable: /);
  });

  test('may be an ordinary file of the repository, without a hash', async () => {
    await hub.addModel({ id: 'ada/plain', files: { 'plain.gguf': tiny } });
    const { modelPath } = await ensure(modelFiles(), { repository: 'ada/plain', model: 'plain.gguf' });
    expect((await readFile(modelPath)).equals(tiny)).toBe(true);
  });

  test('that is no model on the hub itself is refused, and is not downloaded again and again', async () => {
    await hub.addModel({
      id: 'ada/bad',
      files: { 'page.gguf': { lfs: Buffer.from('<!doctype html>') }, 'cut.gguf': { lfs: tiny.subarray(0, 200_000) } },
    });
    const bad = (model: string) => refusal(ensure(modelFiles(), { repository: 'ada/bad', model }));
    expect(await bad('page.gguf')).toBe('not-gguf: page.gguf is a web page, not a model.');
    expect(await bad('cut.gguf')).toMatch(/^truncated: cut\.gguf is cut off/);
    expect(await bad('cut.gguf')).toMatch(/^truncated: /);
    expect(transfers()).toHaveLength(2);
  });

  test('is listed with its users, and removed only when no endpoint uses it', async () => {
    const from = modelFiles();
    await ensure(from);
    await ensure(from, { model: 'q4/tiny.gguf' });
    users = [
      { endpoint: 'poet', repository, revision: null, files: ['q8/*'] },
      { endpoint: 'other', repository, revision: 'f'.repeat(40), files: ['q4/tiny.gguf'] },
    ];
    const listed = await from.list();
    expect(listed).toEqual(
      ['q4/tiny.gguf', 'q8/tiny.gguf'].map((path) => ({
        id: expect.stringMatching(/^[0-9a-f]{16}$/),
        repository,
        commit,
        path,
        location: atCommit(commit, path),
        bytes: tiny.length,
        totalBytes: tiny.length,
        state: 'complete',
        lastUsedAt: '2026-11-22T12:00:00.000Z',
        users: path.startsWith('q8') ? ['poet'] : [],
      })),
    );
    const [free, used] = listed.map(({ id }) => id) as [string, string];
    await expect(from.remove(used)).rejects.toThrow('q8/tiny.gguf cannot be removed. The endpoint "poet" uses it');
    expect((await from.remove(free)).path).toBe('q4/tiny.gguf');
    await expect(from.remove(free)).rejects.toThrow(`There is no model file with the id "${free}".`);
    users = [];
    await from.remove(used);
    expect(await readdir(folder)).toEqual([]);
  });

  test('that is partial or longer than on the hub is listed so', async () => {
    await interrupted(modelFiles(), 50_000);
    await ensure(modelFiles(), { model: 'q4/tiny.gguf' });
    await appendFile(atCommit(commit, 'q4/tiny.gguf'), 'more');
    const listed = await modelFiles().list();
    expect(listed.map(({ path, state, totalBytes }) => [path, state, totalBytes])).toEqual([
      ['q4/tiny.gguf', 'damaged', tiny.length],
      ['q8/tiny.gguf', 'partial', tiny.length],
    ]);
    for (const { id } of listed) await modelFiles().remove(id);
    expect(await readdir(folder)).toEqual([]);
  });
});

test("a user's own split model needs every part, and is named by its first", async () => {
  const part = (at: number) => join(folder, `own-0000${at}-of-00002.gguf`);
  const check = (path: string) => modelFiles().check(path, { signal: never });
  await writeFile(part(1), tiny);
  expect(await refusal(check(part(1)))).toBe(`missing: There is no file ${part(2)}.`);
  await writeFile(part(2), tiny.subarray(0, 300_000));
  expect(await refusal(check(part(1)))).toMatch(/^truncated: own-00002-of-00002\.gguf is cut off/);
  await writeFile(part(2), tiny);
  expect((await check(part(1))).sizeBytes).toBe(2 * tiny.length);
  expect(await refusal(check(part(2)))).toBe('ambiguous: own-00002-of-00002.gguf is a later part of a split model.');
});
