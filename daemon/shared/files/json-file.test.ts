import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { readJsonFile, writeJsonFile } from './json-file.ts';

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
