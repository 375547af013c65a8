import { pbkdf2 } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdtempDisposable, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { HubFile } from './repository-files.ts';
import { saveFiles } from './save-files.ts';

const never = new AbortController().signal;
const file = (path: string, content: string): HubFile => ({ path, size: content.length, sha256: null });
async function* bytes(text: string) {
  yield Buffer.from(text);
}

/** A download that is under way when the signal ends it. */
async function* untilAborted(signal: AbortSignal) {
  yield Buffer.from('l');
  await once(signal, 'abort');
  signal.throwIfAborted();
}

/** Keeps the threads that open files busy, so that a file is opened late. Resolves when they are free again. */
const occupyThreads = () =>
  Promise.all(Array.from({ length: 8 }, () => promisify(pbkdf2)('a', 'b', 200_000, 32, 'sha512')));

test('files are saved in their folders, with their content', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'saved-'));
  const texts: Record<string, string> = { 'app/main.py': 'print()', 'README.md': '# App', empty: '' };
  const files = Object.entries(texts).map(([path, text]) => file(path, text));
  const received: number[] = [];
  const options = { signal: never, onBytes: (count: number) => received.push(count) };
  await saveFiles(files, folder.path, async ({ path }) => bytes(texts[path] ?? ''), options);
  for (const [path, text] of Object.entries(texts)) expect(await readFile(join(folder.path, path), 'utf8')).toBe(text);
  expect(received.sort((a, b) => a - b)).toEqual([5, 7]);
});

test('a file that is opened late is not created after the failure of another was reported', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'saved-'));
  const lateIsAsked = Promise.withResolvers<void>();
  let threads: Promise<unknown> = Promise.resolve();
  const open = async ({ path }: HubFile, signal: AbortSignal) => {
    if (path === 'late') {
      threads = occupyThreads();
      lateIsAsked.resolve();
      return untilAborted(signal);
    }
    await lateIsAsked.promise;
    return bytes('longer than listed');
  };
  const saving = saveFiles([file('late', 'late'), file('wrong', 'x')], folder.path, open, {
    signal: never,
    onBytes: () => {},
  });
  await expect(saving).rejects.toThrow('The hub sent 18 bytes of wrong, which has 1.');
  const there = readdirSync(folder.path); // at once, without a thread
  await threads;
  expect(await readdir(folder.path)).toEqual(there);
});
