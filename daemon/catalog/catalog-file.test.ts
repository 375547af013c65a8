import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../shared/logger.ts';
import { generatedCatalog } from '../testing/models/generated-catalog.ts';
import { shippedCatalog } from './catalog-file.ts';
import { CatalogUnavailable } from './errors.ts';

const stored = generatedCatalog(3).map(({ item, facts }) => ({ ...item, x: facts }));

/** A catalog whose file has the given content, if any, and its log lines. */
async function sourceOf(content: unknown) {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'catalog.json');
  const write = (value: unknown) => writeFile(file, typeof value === 'string' ? value : JSON.stringify(value));
  if (content !== undefined) await write(content);
  const logged: string[] = [];
  return {
    load: shippedCatalog(
      file,
      createLogger('info', (line) => logged.push(line)),
    ),
    logged,
    write,
  };
}

test('a file is read once; facts are kept apart from their item', async () => {
  const { load, logged } = await sourceOf(stored);
  const catalog = await load();
  expect(catalog.entries).toHaveLength(3);
  expect(await load()).toBe(catalog);
  for (const { x, ...item } of stored) {
    expect(catalog.find(item.authorName, item.modelName)).toEqual({ item, facts: x });
  }
  expect(logged).toEqual([]);
});

test('an item needs no facts', async () => {
  const { load } = await sourceOf(generatedCatalog(3).map(({ item }) => item));
  expect((await load()).entries.map(({ facts }) => facts)).toEqual(stored.map(() => ({ weightBytes: {} })));
});

test.each([
  ['an unknown field', { ...stored[1], price: 3 }],
  ['a recipe with an unknown field', { ...stored[1], recipes: [{ ...stored[1]?.recipes[0], price: 3 }] }],
  ['an engine that does not exist', { ...stored[1], recipes: [{ ...stored[1]?.recipes[0], engineType: 'steam' }] }],
  ['a date with an offset', { ...stored[1], createdAt: '2026-01-01T00:00:00+00:00' }],
  ['a name without an owner', { ...stored[1], repoId: 'alone' }],
  ['weights of no size', { ...stored[1], x: { weightBytes: { any: -1 } } }],
  ['a text', 'item'],
  ['null', null],
])('an invalid item is omitted and logged, the others are read: %s', async (_, bad) => {
  const { load, logged } = await sourceOf([stored[0], bad, stored[2]]);
  expect((await load()).size).toBe(2);
  expect(logged).toEqual([expect.stringMatching(/warn {2}catalog: item 2 of the file is omitted: /)]);
});

test('a file with only invalid items does not fill the log', async () => {
  const { load, logged } = await sourceOf(Array.from({ length: 1_000 }, () => 1));
  expect((await load()).size).toBe(0);
  expect(logged).toHaveLength(21);
  expect(logged.at(-1)).toContain('1000 items are omitted in total');
});

test.each([
  ['missing', undefined],
  ['not JSON', '[{]'],
  ['empty', ''],
  ['no list', { items: stored }],
])('a file that is %s fails each load until it can be read; the log has its path', async (_, content) => {
  const { load, logged, write } = await sourceOf(content);
  for (let use = 1; use <= 2; use++) {
    const error = await load().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CatalogUnavailable);
    expect((error as Error).message).toMatch(/^The catalog cannot be loaded: [^/\\]+\.$/);
    expect(logged).toHaveLength(use);
    expect(logged.at(-1)).toContain('catalog.json');
  }
  await write(stored);
  expect((await load()).size).toBe(3);
});
