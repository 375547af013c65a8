import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod';
import { readPastRecords, readStoredFile } from './json-file.ts';

const Content = z.object({ name: z.string() });
const ASIDE = 'file.json.damaged-20261122T101500123';

let folder: string;
let file: string;
let logged: string[];
const log = { error: (message: string) => void logged.push(message) };
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-22T10:15:00.123Z') });
  onTestFinished(() => void vi.useRealTimers());
  folder = await mkdtemp(join(tmpdir(), 'stored-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  file = join(folder, 'file.json');
  logged = [];
});

test('a file is read, and a missing one is none', async () => {
  expect(await readStoredFile(file, Content, log)).toEqual({ value: null, setAside: false });
  await writeFile(file, '{"name": "a"}');
  expect(await readStoredFile(file, Content, log)).toEqual({ value: { name: 'a' }, setAside: false });
  expect(await readPastRecords(file, Content, log)).toEqual({ name: 'a' });
});

test.each(['', '{', '{"name": 1}', '\0\xff'])('a damaged file (%j) is set aside with its content', async (text) => {
  await writeFile(file, text);
  expect(await readStoredFile(file, Content, log)).toEqual({ value: null, setAside: true });
  expect(await readdir(folder)).toEqual([ASIDE]);
  expect(await readFile(join(folder, ASIDE), 'utf8')).toBe(text);
  expect(logged).toEqual([`${file} is set aside as ${join(folder, ASIDE)}`]);
});

test('a second damaged file does not replace the first', async () => {
  for (const [text, at] of [
    ['{1', '10'],
    ['{2', '11'],
  ] as const) {
    vi.setSystemTime(`2026-11-22T${at}:00:00Z`);
    await writeFile(file, text);
    await readStoredFile(file, Content, log);
  }
  const kept = (await readdir(folder)).sort();
  expect(await Promise.all(kept.map((name) => readFile(join(folder, name), 'utf8')))).toEqual(['{1', '{2']);
});

test('a file that cannot be read is not a damaged one; records of the past are set aside', async () => {
  await symlink('file.json', file); // a link to itself cannot be read, whoever asks
  await expect(readStoredFile(file, Content, log)).rejects.toMatchObject({ code: 'ELOOP' });
  expect(await readdir(folder)).toEqual(['file.json']);
  expect(await readPastRecords(file, Content, log)).toBeNull();
  expect(await readdir(folder)).toEqual([ASIDE]);
});

test('a folder in its place is set aside', async () => {
  await mkdir(file);
  expect(await readStoredFile(file, Content, log)).toEqual({ value: null, setAside: true });
  expect(await readdir(folder)).toEqual([ASIDE]);
});
