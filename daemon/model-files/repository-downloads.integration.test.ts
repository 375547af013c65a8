/** Whole repositories from the tests' hub, over real HTTP. */
import { chmod, mkdtemp, readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FakeHub, startFakeHub } from '../testing/fake-hub.ts';
import { modelFilesIn } from '../testing/models/model-files-in.ts';
import { tinyGguf } from '../testing/models/tiny-gguf.ts';
import { movableClock } from '../testing/movable-clock.ts';
import type { ModelProgress } from './local-copies.ts';
import type { ModelUser } from './model-inventory.ts';
import type { WantedRevision } from './revision-choice.ts';

const weights = Buffer.alloc(300_000, 'w');
const gguf = tinyGguf();
const repository = 'ada/tiny';
const files = {
  '.gitattributes': '*.bin filter=lfs',
  'config.json': '{"model_type":"tiny"}',
  'empty.txt': '',
  'model.safetensors': { lfs: weights },
  'pytorch_model.bin': { lfs: Buffer.alloc(10, 'p') },
  'sub/vocab.txt': 'a\nb',
  'q4.gguf': { lfs: gguf },
};
const kept = ['config.json', 'empty.txt', 'model.safetensors', 'sub/vocab.txt'];
const totalBytes = weights.length + files['config.json'].length + files['sub/vocab.txt'].length;
const wanted: WantedRevision = { repository, revision: null };
const never = new AbortController().signal;
const quiet = { signal: never, onProgress: () => {} };

/** Of the hub alone. */
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
const modelFiles = (more = {}) => modelFilesIn(folder, hub.url, { users: async () => users, ...more });
const top = () => join(folder, 'ada--tiny', commit);
const transfers = () => hub.requests.filter(({ path }) => path.startsWith('/large-files/'));
async function filesThere(): Promise<string[]> {
  const entries = await readdir(top(), { recursive: true, withFileTypes: true });
  return entries
    .flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name).slice(top().length + 1)] : []))
    .sort();
}

test('what an engine reads is downloaded once, with its size known before', async () => {
  const from = modelFiles();
  expect(await from.repositorySize(wanted)).toEqual({ totalBytes, missingBytes: totalBytes });
  const seen: ModelProgress[] = [];
  const prepared = await from.ensureRepository(wanted, {
    signal: never,
    onProgress: (progress) => seen.push(progress),
  });
  expect(prepared).toEqual({ folder: top(), commit });
  expect(await filesThere()).toEqual(kept);
  expect((await readFile(join(top(), 'model.safetensors'))).equals(weights)).toBe(true);
  expect(seen.at(-1)).toEqual({ phase: 'verify', doneBytes: totalBytes, totalBytes });
  expect(seen.every(({ doneBytes }) => doneBytes <= totalBytes)).toBe(true);
  expect(await from.repositorySize(wanted)).toEqual({ totalBytes, missingBytes: 0 });
  const before = hub.requests.length;
  expect(await modelFiles().ensureRepository({ ...wanted, revision: commit }, quiet)).toEqual(prepared);
  expect(await modelFiles().ensureRepository({ ...wanted, prefersCopy: true }, quiet)).toEqual(prepared);
  expect(hub.requests).toHaveLength(before);
});

test('another user may read the files, as the program in a container can be', async () => {
  await modelFiles().ensureRepository(wanted, quiet);
  await chmod(join(top(), 'config.json'), 0o600);
  await modelFiles().ensureRepository(wanted, quiet);
  const mode = async (...path: string[]) => ((await stat(join(top(), ...path))).mode & 0o777).toString(8);
  expect([await mode(), await mode('sub'), await mode('sub', 'vocab.txt'), await mode('config.json')]).toEqual([
    ...['755', '755', '644', '644'],
  ]);
  expect(((await stat(join(top(), '..'))).mode & 0o777).toString(8)).toBe('700');
});

test('a download that was ended goes on where it was', async () => {
  hub.misbehave({ bytesPerSecond: 300_000, only: /^\/large-files/ });
  const ending = new AbortController();
  const work = modelFiles().ensureRepository(wanted, { signal: ending.signal, onProgress: () => {} });
  const part = join(top(), 'model.safetensors.part');
  const arrived = () =>
    stat(part).then(
      ({ size }) => size,
      () => 0,
    );
  while ((await arrived()) < 50_000) await clock.pass(50, 50);
  ending.abort(new Error('enough'));
  await expect(work).rejects.toThrow('enough');
  hub.misbehave({});
  const there = (await stat(part)).size;
  expect(await modelFiles().list()).toMatchObject([{ path: '.', state: 'partial', totalBytes }]);
  await modelFiles().ensureRepository(wanted, quiet);
  expect(await filesThere()).toEqual(kept);
  expect(transfers().at(-1)?.range).toBe(`bytes=${there}-${weights.length - 1}`);
});

test('a file that the disk has cut is listed as damaged, and downloaded again', async () => {
  await modelFiles().ensureRepository(wanted, quiet);
  await truncate(join(top(), 'model.safetensors'), 7);
  expect(await modelFiles().list()).toMatchObject([{ path: '.', state: 'damaged' }]);
  await modelFiles().ensureRepository({ ...wanted, revision: commit }, quiet);
  expect(await modelFiles().list()).toMatchObject([{ path: '.', state: 'complete', bytes: totalBytes, totalBytes }]);
});

test('the copy serves while the hub does not answer', async () => {
  await modelFiles().ensureRepository(wanted, quiet);
  hub.misbehave({ status: 503 });
  expect(await modelFiles().ensureRepository(wanted, quiet)).toEqual({ folder: top(), commit });
});

test('it is one row of the list, beside .gguf files; both stay while an endpoint uses them', async () => {
  const from = modelFiles();
  await from.ensureRepository(wanted, quiet);
  await from.ensure({ ...wanted, model: 'q4.gguf', mmproj: null, draft: null }, quiet);
  const row = { repository, commit, state: 'complete', users: [], lastUsedAt: '2026-11-22T12:00:00.000Z' };
  const whole = { ...row, path: '.', location: top(), bytes: totalBytes, totalBytes };
  const file = {
    ...row,
    path: 'q4.gguf',
    location: join(top(), 'q4.gguf'),
    bytes: gguf.length,
    totalBytes: gguf.length,
  };
  const listed = await from.list();
  expect(listed).toEqual([
    { ...whole, id: expect.any(String) },
    { ...file, id: expect.any(String) },
  ]);
  const id = listed[0]?.id ?? '';
  users = [{ endpoint: 'chat', repository, revision: null, files: 'all' }];
  expect((await from.list()).map((each) => each.users)).toEqual([['chat'], ['chat']]);
  await expect(from.remove(id)).rejects.toThrow('The endpoint "chat" uses it');
  users = [{ endpoint: 'llama', repository, revision: null, files: ['q4.gguf'] }];
  expect(await from.remove(id)).toMatchObject({ path: '.', bytes: totalBytes });
  expect(await filesThere()).toEqual(['q4.gguf']);
  expect(await from.list()).toEqual([{ ...file, id: expect.any(String), users: ['llama'] }]);
  await from.ensureRepository(wanted, quiet);
  expect(await filesThere()).toEqual([...kept, 'q4.gguf'].sort());
});

test('nothing is left of a repository whose only files are removed', async () => {
  const from = modelFiles();
  await from.ensureRepository(wanted, quiet);
  await from.remove((await from.list())[0]?.id ?? '');
  expect(await readdir(folder)).toEqual([]);
});

test('it is not removed while it is being downloaded', async () => {
  hub.misbehave({ bytesPerSecond: 300_000, only: /^\/large-files/ });
  const from = modelFiles();
  const ending = new AbortController();
  const work = from.ensureRepository(wanted, { signal: ending.signal, onProgress: () => {} });
  await vi.waitFor(async () => expect(await from.list()).not.toEqual([]), { interval: 10 });
  await expect(from.remove((await from.list())[0]?.id ?? '')).rejects.toThrow('It is being prepared');
  ending.abort(new Error('enough'));
  await expect(work).rejects.toThrow('enough');
});

test('an empty repository and too small a disk are reported before the first byte', async () => {
  await hub.addModel({ id: 'ada/empty', files: { '.gitattributes': '' } });
  await expect(modelFiles().ensureRepository({ repository: 'ada/empty', revision: null }, quiet)).rejects.toThrow(
    'The repository ada/empty has no files.',
  );
  expect(await modelFiles().repositorySize({ repository: 'ada/empty', revision: null })).toMatchObject({
    message: 'The repository ada/empty has no files.',
  });
  const full = modelFiles({ reserveBytes: Number.MAX_SAFE_INTEGER });
  await expect(full.ensureRepository(wanted, quiet)).rejects.toThrow('has too little space');
  expect(transfers()).toEqual([]);
});
