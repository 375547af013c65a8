import { createHash } from 'node:crypto';
import { chmod, mkdtempDisposable, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type PartialDescription, PartialFile, partFilesOf, sha256Of } from './partial-file.ts';

const description: PartialDescription = {
  repository: 'ada/tiny',
  commit: 'abc',
  path: 'tiny.gguf',
  size: 6,
  sha256: 'f'.repeat(64),
};
const noSignal = new AbortController().signal;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** A folder with a download of which "abc" has arrived, and what a later download of another description finds. */
async function resumedAs(earlier: PartialDescription, later: PartialDescription) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'robot-desktop-part-'));
  const target = join(folder.path, 'models', 'tiny.gguf');
  {
    await using part = await PartialFile.open(target, earlier, noSignal);
    await part.append(Buffer.from('abc'));
  }
  await using part = await PartialFile.open(target, later, noSignal);
  return { bytes: part.bytes, sha256: part.sha256() };
}

test('a later download of the same content continues, with the hash of all bytes', async () => {
  expect(await resumedAs(description, description)).toEqual({ bytes: 3, sha256: sha256('abc') });
});

test.each([
  ['the same hash, from another repository', {}, { repository: 'bob/tiny', commit: 'def', path: 'x.gguf' }, 3],
  ['another hash', {}, { sha256: '0'.repeat(64) }, 0],
  ['another size', {}, { size: 7 }, 0],
  ['a size below the bytes that are there', {}, { size: 2 }, 0],
  ['no hash, the same commit and path', { sha256: null }, { sha256: null }, 3],
  ['no hash, another commit', { sha256: null }, { sha256: null, commit: 'def' }, 0],
  ['no hash, another path', { sha256: null }, { sha256: null, path: 'x.gguf' }, 0],
  ['no hash, another repository', { sha256: null }, { sha256: null, repository: 'bob/tiny' }, 0],
])('of a download with %s it keeps the right bytes', async (_, earlier, later, bytes) => {
  const resumed = await resumedAs({ ...description, ...earlier }, { ...description, ...later });
  expect(resumed).toEqual({ bytes, sha256: sha256('abc'.slice(0, bytes)) });
});

test('more bytes than the content has are discarded', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'robot-desktop-part-'));
  const target = join(folder.path, 'tiny.gguf');
  await (await PartialFile.open(target, description, noSignal))[Symbol.asyncDispose]();
  await writeFile(`${target}.part`, 'abcdefg');
  await using part = await PartialFile.open(target, description, noSignal);
  expect(part.bytes).toBe(0);
});

test('bytes whose description is damaged are discarded', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'robot-desktop-part-'));
  const target = join(folder.path, 'tiny.gguf');
  await writeFile(`${target}.part`, 'abc');
  await writeFile(`${target}.part.json`, '{"size":');
  await using part = await PartialFile.open(target, description, noSignal);
  expect(part.bytes).toBe(0);
});

test('a file that is finished after an interruption has its name and all bytes, others can read it, and nothing is left beside it', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'robot-desktop-part-'));
  const target = join(folder.path, 'tiny.gguf');
  const interrupted = await PartialFile.open(target, description, noSignal);
  await interrupted.append(Buffer.from('abc'));
  await interrupted[Symbol.asyncDispose]();
  await chmod(`${target}.part`, 0o600);
  const part = await PartialFile.open(target, description, noSignal);
  await part.append(Buffer.from('def'));
  expect([part.bytes, part.sha256()]).toEqual([6, sha256('abcdef')]);
  await part.finish();
  expect(await readdir(folder.path)).toEqual(['tiny.gguf']);
  expect(await readFile(target, 'utf8')).toBe('abcdef');
  expect(await sha256Of(target, noSignal)).toBe(sha256('abcdef'));
  if (process.platform !== 'win32') expect((await stat(target)).mode & 0o777).toBe(0o644);
});

test('a discarded download leaves nothing', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'robot-desktop-part-'));
  const target = join(folder.path, 'tiny.gguf');
  const part = await PartialFile.open(target, description, noSignal);
  await part.append(Buffer.from('abc'));
  expect((await readdir(folder.path)).map((name) => join(folder.path, name)).sort()).toEqual(partFilesOf(target));
  await part.discard();
  expect(await readdir(folder.path)).toEqual([]);
});

test('a cancelled download does not hash what is there, and keeps it', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'robot-desktop-part-'));
  const target = join(folder.path, 'tiny.gguf');
  const part = await PartialFile.open(target, description, noSignal);
  await part.append(Buffer.from('abc'));
  await part[Symbol.asyncDispose]();
  const reason = new Error('cancelled');
  await expect(PartialFile.open(target, description, AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(await readFile(`${target}.part`, 'utf8')).toBe('abc');
});
