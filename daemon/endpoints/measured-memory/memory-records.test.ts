import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Recipe } from '../../contract/catalog/catalog.ts';
import type { EndpointImage } from '../../contract/endpoints/endpoint-image.ts';
import { createLogger } from '../../shared/logger.ts';
import { partsNamed, pendingSince } from '../../testing/models/some-endpoints.ts';
import type { StoredEndpoint } from '../records/stored-endpoint.ts';
import { MemoryRecords } from './memory-records.ts';

async function someRecords() {
  const folder = await mkdtemp(join(tmpdir(), 'measured-memory-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'measured-memory.json');
  const logged: string[] = [];
  const log = createLogger('warn', (line) => logged.push(line));
  const open = async () => {
    const records = new MemoryRecords({ file, log });
    onTestFinished(() => records.close()); // before the folder is removed
    await records.load();
    return records;
  };
  return { folder, file, logged, open, records: await open() };
}

function endpoint(file: string, change: Partial<StoredEndpoint> = {}): StoredEndpoint {
  const image: EndpointImage = {
    llamacpp: { url: 'engines/llamacpp:cpu', modelPath: `/repository/${file}`, ctxSize: 4096 },
  };
  const { model, ...parts } = partsNamed('one');
  const status = { ...pendingSince('2026-11-23T10:00:00.000Z'), state: 'running' as const };
  return { ...parts, model: { ...model, repository: 'ada/m', image }, status, ...change };
}
const of = (...bytes: readonly number[]) =>
  bytes.map((each) => ({ bytes: each, isContainer: false, countsFiles: false, state: 'ready' as const, slots: null }));
const recipe = (ggufFile: string, change: Partial<Recipe> = {}): Recipe => ({
  ...{ publicId: 'm', accelerator: 'cpu', engineType: 'llamacpp', ggufFile },
  ...change,
});

test('the most that one replica used is kept, through a restart', async () => {
  const { open, records } = await someRecords();
  const one = endpoint('a.gguf');
  expect(records.peakBytes(one)).toBeNull();
  records.note(one, of(3e9, 5e9), 0);
  records.note(one, of(4e9), 0);
  records.note(one, of(5.01e9), 0);
  expect(records.peakBytes(one)).toBe(5e9);
  records.note(one, of(6e9), 0);
  expect(records.peakBytes(one)).toBe(6e9);
  await records.close();
  const again = await open();
  expect(again.peakBytes(one)).toBe(6e9);
  expect(again.peakBytes(endpoint('b.gguf'))).toBeNull();
  expect(again.measurements.of('ada/m', recipe('a.gguf'))).toEqual([
    { bytes: 6e9, contextTokens: 4096, isProven: false },
  ]);
});

test('ten answers prove it, and it stays proven', async () => {
  const { records } = await someRecords();
  const one = endpoint('a.gguf');
  const isProven = () => records.measurements.of('ada/m', recipe('a.gguf')).map((measured) => measured.isProven);
  records.note(one, of(5e9), 9);
  expect(isProven()).toEqual([false]);
  records.note(one, of(4e9), 10);
  expect(isProven()).toEqual([true]);
  records.note(one, of(8e9), 0); // after a restart of the daemon
  expect(isProven()).toEqual([true]);
  expect(records.peakBytes(one)).toBe(8e9);
});

test('a container proves nothing: it may share the pages of its files', async () => {
  const { records } = await someRecords();
  const isProven = () => records.measurements.of('ada/m', recipe('a.gguf')).map((measured) => measured.isProven);
  records.note(
    endpoint('a.gguf'),
    [{ bytes: 5e9, isContainer: true, countsFiles: false, state: 'ready', slots: null }],
    100,
  );
  expect([records.peakBytes(endpoint('a.gguf')), isProven()]).toEqual([5e9, [false]]);
  records.note(endpoint('a.gguf'), of(4e9), 100);
  expect([records.peakBytes(endpoint('a.gguf')), isProven()]).toEqual([5e9, [true]]);
});

test('a figure that may count files is not noted', async () => {
  const { records } = await someRecords();
  const one = endpoint('a.gguf');
  const doubtful = { bytes: 9e9, isContainer: true, countsFiles: true, state: 'ready', slots: null } as const;
  records.note(one, [doubtful], 100);
  expect(records.peakBytes(one)).toBeNull();
  records.note(one, [doubtful, ...of(5e9)], 0);
  expect(records.peakBytes(one)).toBe(5e9);
});

test('the measurements are another object only after news', async () => {
  const { records } = await someRecords();
  records.note(endpoint('a.gguf'), of(5e9), 0);
  const before = records.measurements;
  records.note(endpoint('a.gguf'), of(5e9), 0);
  expect(records.measurements).toBe(before);
  records.note(endpoint('a.gguf'), of(5e9), 10);
  expect(records.measurements).not.toBe(before);
});

test('they are those of a recipe with the settings of the catalog, for a CPU', async () => {
  const { records } = await someRecords();
  const one = endpoint('a.gguf');
  records.note(one, of(5e9), 0);
  const custom = { ...one, model: { ...one.model, args: ['--no-mmap'] } };
  records.note(custom, of(9e9), 0);
  expect(records.peakBytes(custom)).toBe(9e9);
  const found = (one: Recipe, repository = 'ada/m') => records.measurements.of(repository, one).length;
  expect(found(recipe('a.gguf'))).toBe(1);
  expect([
    found(recipe('a.gguf'), 'ada/other'),
    found(recipe('b.gguf')),
    found(recipe('a.gguf', { accelerator: 'gpu' })),
    found(recipe('a.gguf', { engineType: 'tei' })),
    found(recipe('a.gguf', { revision: 'abc' })),
  ]).toEqual([0, 0, 0, 0, 0]);
});

test('nothing is noted while an update replaces replicas, of a graphics card, or without a ready replica', async () => {
  const { records } = await someRecords();
  const one = endpoint('a.gguf');
  for (const state of ['updating', 'updateFailed', 'initializing'] as const) {
    records.note({ ...one, status: { ...one.status, state } }, of(5e9), 0);
  }
  records.note({ ...one, compute: { ...one.compute, accelerator: 'gpu' } }, of(5e9), 0);
  records.note(one, of(), 0);
  records.note(one, [{ bytes: 5e9, isContainer: false, countsFiles: false, state: 'draining', slots: null }], 0);
  expect(records.measurements.of('ada/m', recipe('a.gguf'))).toEqual([]);
});

test('at most 500 are kept, the newest', async () => {
  const { file, open, records } = await someRecords();
  for (let index = 0; index < 501; index += 1) records.note(endpoint(`${index}.gguf`), of(1e9), 0);
  await records.close();
  expect(JSON.parse(await readFile(file, 'utf8')).records).toHaveLength(500);
  const again = await open();
  expect([again.peakBytes(endpoint('0.gguf')), again.peakBytes(endpoint('500.gguf'))]).toEqual([null, 1e9]);
});

test('a damaged file is set aside', async () => {
  const { folder, file, open, logged } = await someRecords();
  await writeFile(file, '{"records":[{"peakBytes":-1}]}');
  expect((await open()).peakBytes(endpoint('a.gguf'))).toBeNull();
  expect(await readdir(folder)).toEqual([expect.stringMatching(/^measured-memory\.json\.damaged-\w+$/)]);
  expect(logged).toHaveLength(1);
});

test('what cannot be saved is saved later, and the daemon goes on', async () => {
  const { folder, file, records, open, logged } = await someRecords();
  await rm(folder, { recursive: true });
  records.note(endpoint('a.gguf'), of(5e9), 0);
  await records.close();
  expect(records.peakBytes(endpoint('a.gguf'))).toBe(5e9);
  expect(logged).toEqual(expect.arrayContaining([expect.stringContaining('the memory of models could not be saved')]));
  await mkdir(folder);
  await records.close();
  expect(await readdir(folder)).toEqual(['measured-memory.json']);
  expect((await open()).peakBytes(endpoint('a.gguf'))).toBe(5e9);
  expect(file).toContain(folder);
});
