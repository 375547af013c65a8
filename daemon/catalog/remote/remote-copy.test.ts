import { mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RemoteCopy, readRemoteCopy, writeRemoteCopy } from './remote-copy.ts';

const base = 'https://catalog.example/api/v1';
const items = Array.from({ length: 2_000 }, (_, index) => ({
  modelName: `Poet ünï ${index}`,
  createdAt: '2026-01-02T03:04:05.678Z',
  authorName: 'Ada',
  license: 'mit',
  repoId: `ada/poet-${index}`,
  task: 'text-generation',
  recipes: [{ accelerator: 'gpu' as const, engineType: 'vllm' as const, publicId: `poet-${index}` }],
}));
const copy: RemoteCopy = { base, etag: 'W/"1-ü"', fetchedAt: '2026-02-03T04:05:06.789Z', items };

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'robot-desktop-copy-'));
  file = join(folder, 'catalog.jsonl');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a copy is read as written, and only its owner may read the file', async () => {
  await writeRemoteCopy(file, copy);
  expect(await readRemoteCopy(file, base)).toEqual(copy);
  if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);
  await writeRemoteCopy(file, { ...copy, etag: null, items: [] });
  expect(await readRemoteCopy(file, base)).toEqual({ ...copy, etag: null, items: [] });
});

test('a missing copy, or another service’s, reads as null', async () => {
  expect(await readRemoteCopy(file, base)).toBeNull();
  await writeRemoteCopy(file, copy);
  expect(await readRemoteCopy(file, 'https://other.example/api/v1')).toBeNull();
});

test.each([
  ['empty', async () => truncate(file)],
  ['cut off within an item', async () => truncate(file, (await stat(file)).size - 30)],
  ['cut off between two items', async () => writeFile(file, `${(await linesOf()).slice(0, 50).join('\n')}\n`)],
  ['invalid', async () => writeFile(file, (await linesOf()).join('\n').replace('"vllm"', '"warp"'))],
  ['not a copy', async () => writeFile(file, Buffer.alloc(100_000, 255))],
])('a file that is %s is damaged', async (_, damage) => {
  await writeRemoteCopy(file, copy);
  await damage();
  await expect(readRemoteCopy(file, base)).rejects.toThrow('is damaged');
});

async function linesOf(): Promise<string[]> {
  return (await readFile(file, 'utf8')).split('\n');
}
