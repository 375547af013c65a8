import { mkdir, mkdtemp, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { DamagedFile, readJsonFile, writeJsonFile } from './json-file.ts';

async function file(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'json-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, 'file.json');
}

test('a reader always sees the complete old or new value', async () => {
  const path = await file();
  const value = Array.from({ length: 50_000 }, (_, index) => index);
  await writeJsonFile(path, value);
  let writing = true;
  const writes = (async () => {
    for (let turn = 0; turn < 10; turn++) await writeJsonFile(path, value);
    writing = false;
  })();
  while (writing) expect(await readJsonFile(path, z.array(z.number()))).toHaveLength(value.length);
  await writes;
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test.each([
  ['', 'it is empty'],
  [' \n', 'it is empty'],
  ['{"a": [1', 'it is not JSON'],
  ['\u0000\u001b[31m', 'it is not JSON'],
  ['{"a": ["x"]}', 'a.0: Invalid input: expected number, received string'],
  ['[]', 'Invalid input: expected object, received array'],
])('a file with %j is damaged, in one sentence without its content', async (content, damage) => {
  const path = await file();
  await writeFile(path, content);
  await expect(readJsonFile(path, z.object({ a: z.array(z.number()) }))).rejects.toThrow(
    new DamagedFile(path, damage).message,
  );
});

test('a file that would take the memory is damaged, and is not read', async () => {
  const path = await file();
  await writeFile(path, '');
  await truncate(path, 3e9); // takes no room on the disk
  await expect(readJsonFile(path, z.any())).rejects.toThrow(`${path} is damaged: it has 3.0 GB.`);
});

test('a folder and a pipe in its place are damaged files: the pipe is not waited for', async () => {
  const [folder, pipe] = [await file(), await file()];
  await mkdir(folder);
  await expect(readJsonFile(folder, z.any())).rejects.toThrow(`${folder} is damaged: it is a folder.`);
  if (process.platform === 'win32') return;
  await execa('mkfifo', [pipe]);
  await expect(readJsonFile(pipe, z.any())).rejects.toThrow(`${pipe} is damaged: it is not a file.`);
});
