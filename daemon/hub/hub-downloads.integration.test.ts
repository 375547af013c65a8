/** Downloads from a hub that behaves like the real one: the files of Spaces and of models. */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  dance,
  danceFiles,
  errorKindOf,
  type HubInUse,
  large,
  never,
  startHubInUse,
  TOKEN,
} from '../testing/hub-in-use.ts';
import type { HubError } from './errors.ts';
import type { HubFile } from './repository-files.ts';

let at: HubInUse;
beforeEach(async () => {
  at = await startHubInUse();
});
afterEach(() => at[Symbol.asyncDispose]());

describe('a download', () => {
  test('has every file of the hub, large ones too, and reports its progress', async () => {
    const from = at.client();
    const files = await from.files(dance, at.commit, never);
    const sizes = Object.fromEntries(files.map(({ path, size }) => [path, size]));
    expect(sizes).toMatchObject({ 'dance/__init__.py': 0, 'dance/model.bin': large.length, 'dance/main.py': 19 });
    expect(await at.download(from, files)).toBe(files.reduce((sum, { size }) => sum + size, 0));
    for (const [path, content] of Object.entries(danceFiles)) {
      const expected = typeof content === 'object' && 'lfs' in content ? content.lfs : Buffer.from(content);
      expect((await readFile(join(at.folder, path))).equals(expected)).toBe(true);
    }
  });

  test('sends the token to the hub, and not to the store of large files', async () => {
    at.hub.addToken(TOKEN, { name: 'ada', role: 'read' });
    await at.download(at.client({}, TOKEN));
    const tokensSentTo = (start: string) =>
      at.hub.requests.filter(({ path }) => path.startsWith(start)).map((request) => request.authorization);
    expect(new Set(tokensSentTo('/spaces/'))).toEqual(new Set([`Bearer ${TOKEN}`]));
    expect(new Set(tokensSentTo('/large-files/'))).toEqual(new Set([null]));
  });

  test('requests each file once', async () => {
    await at.download(at.client());
    const asked = at.hub.requests.filter(({ path }) => path.includes('/resolve/')).map(({ path }) => path);
    expect(asked).toHaveLength(new Set(asked).size);
  });

  test('does not accept a pointer instead of the large file', async () => {
    const oid = createHash('sha256').update(large).digest('hex');
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${large.length}\n`;
    await at.hub.commit('ada/dance', { 'pointer.bin': pointer, '.gitattributes': '' });
    const { commit: newest } = await at.client().resolve('ada/dance', null, never);
    const file = { path: 'pointer.bin', size: pointer.length, sha256: null };
    const from = at.client();
    const saved = from.download(dance, newest, [file], at.folder, { signal: never, onBytes: () => {} });
    expect(await errorKindOf(saved)).toBe('broken');
  });

  test('is refused when a file differs from the list', async () => {
    const file = { path: 'pyproject.toml', size: 5, sha256: null };
    expect(await errorKindOf(at.download(at.client(), [file]))).toBe('broken');
    const longer = { path: 'README.md', size: 5_000, sha256: null };
    expect(await errorKindOf(at.download(at.client(), [longer]))).toBe('broken');
    const other = { path: 'dance/model.bin', size: large.length, sha256: 'a'.repeat(64) };
    expect(await errorKindOf(at.download(at.client(), [other]))).toBe('broken');
  });

  test('overwrites nothing', async () => {
    await at.download(at.client());
    await expect(at.download(at.client())).rejects.toMatchObject({ code: 'EEXIST' });
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
      expect(await errorKindOf(at.download(at.client(), [{ path, size: 1, sha256: null }])), path).toBe('broken');
    }
    expect(at.hub.requests).toEqual([]);
  });

  test('can be cancelled at any time, and then writes nothing more', async () => {
    at.hub.misbehave({ bytesPerSecond: 200_000 });
    const cancel = new AbortController();
    const from = at.client();
    const files = await from.files(dance, at.commit, never);
    let bytes = 0;
    const work = from.download(dance, at.commit, files, at.folder, {
      signal: cancel.signal,
      onBytes: (more) => {
        bytes += more;
        if (bytes > 20_000) cancel.abort(new Error('the user has had enough'));
      },
    });
    await expect(work).rejects.toThrow('the user has had enough');
    const sizes = async () => (await stat(join(at.folder, 'dance', 'model.bin'))).size;
    const before = await sizes();
    expect(before).toBeLessThan(large.length);
    await at.clock.pass(5_000); // the hub would have sent a third of it
    expect(await sizes()).toBe(before);
  });
});

describe('a model', () => {
  const tiny = { type: 'model', id: 'ada/tiny' } as const;
  const addModel = (more: object = {}) =>
    at.hub.addModel({ id: tiny.id, files: { 'README.md': '# tiny', 'q4/tiny.gguf': { lfs: large } }, ...more });
  const bytesOf = async (stream: Promise<AsyncIterable<Uint8Array>>) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of await stream) chunks.push(chunk);
    return Buffer.concat(chunks);
  };

  test('is resolved, listed, and read from an offset, also when the hub ignores ranges', async () => {
    const { sha } = await addModel();
    const from = at.client();
    expect(await from.resolveModel(tiny.id, null, never)).toBe(sha);
    expect(await from.resolveModel(tiny.id, sha, never)).toBe(sha);
    const file = (await from.files(tiny, sha, never)).find(({ path }) => path === 'q4/tiny.gguf') as HubFile;
    expect(file).toEqual({
      path: 'q4/tiny.gguf',
      size: large.length,
      sha256: createHash('sha256').update(large).digest('hex'),
    });
    const asked = at.hub.requests.length;
    expect((await bytesOf(from.open(tiny, sha, file, 2_000_001, never))).equals(large.subarray(2_000_001))).toBe(true);
    expect(at.hub.requests.slice(asked).map(({ range }) => range)).toEqual(Array(2).fill('bytes=2000001-2999999'));
    at.hub.misbehave({ ignoreRange: true });
    expect((await bytesOf(from.open(tiny, sha, file, 2_000_001, never))).equals(large.subarray(2_000_001))).toBe(true);
    expect((await bytesOf(from.open(tiny, sha, file, 0, never))).equals(large)).toBe(true);
  });

  test('that is missing, or restricted to other accounts, is called a model in the error', async () => {
    const { sha } = await addModel({ gatedTo: ['bob'] });
    const from = at.client();
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
