import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../../shared/logger.ts';
import { generatedCatalog } from '../../testing/models/generated-catalog.ts';
import { EmbeddedSource } from '../embedded-source.ts';
import { CatalogUnavailable } from './errors.ts';

const stored = generatedCatalog(3).map(({ item, facts }) => ({ ...item, x: facts }));

/** The source of a file that holds that, if anything, and what it logs. */
async function sourceOf(content: unknown) {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'catalog.json');
  const write = (value: unknown) => writeFile(file, typeof value === 'string' ? value : JSON.stringify(value));
  if (content !== undefined) await write(content);
  const told: string[] = [];
  return { source: new EmbeddedSource({ file, log: createLogger('info', (line) => told.push(line)) }), told, write };
}

test('a file is read once; what is known beside an item is kept apart from it', async () => {
  const { source, told } = await sourceOf(stored);
  const catalog = await source.load();
  expect(catalog.entries).toHaveLength(3);
  expect(await source.load()).toBe(catalog);
  for (const { x, ...item } of stored) {
    expect(catalog.find(item.authorName, item.modelName)).toEqual({ item, facts: x });
  }
  expect(told).toEqual([]);
});

test('nothing needs to be known beside an item', async () => {
  const { source } = await sourceOf(generatedCatalog(3).map(({ item }) => item));
  expect((await source.load()).entries.map(({ facts }) => facts)).toEqual(stored.map(() => ({ weightBytes: {} })));
});

test.each([
  ['a field too much', { ...stored[1], price: 3 }],
  ['a recipe with a field too much', { ...stored[1], recipes: [{ ...stored[1]?.recipes[0], price: 3 }] }],
  ['an engine that does not exist', { ...stored[1], recipes: [{ ...stored[1]?.recipes[0], engineType: 'steam' }] }],
  ['a date with an offset', { ...stored[1], createdAt: '2026-01-01T00:00:00+00:00' }],
  ['a name without an owner', { ...stored[1], repoId: 'alone' }],
  ['weights of no size', { ...stored[1], x: { weightBytes: { any: -1 } } }],
  ['a text', 'item'],
  ['null', null],
])('an item that is wrong is left out and told, the others are there: %s', async (_, bad) => {
  const { source, told } = await sourceOf([stored[0], bad, stored[2]]);
  expect((await source.load()).size).toBe(2);
  expect(told).toEqual([expect.stringMatching(/warn {2}catalog: item 2 of the file is left out: /)]);
});

test('a file that is wrong throughout does not fill the log', async () => {
  const { source, told } = await sourceOf(Array.from({ length: 1_000 }, () => 1));
  expect((await source.load()).size).toBe(0);
  expect(told).toHaveLength(21);
  expect(told.at(-1)).toContain('1000 items are left out in all');
});

test.each([
  ['missing', undefined],
  ['not JSON', '[{]'],
  ['empty', ''],
  ['no list', { items: stored }],
])('a file that is %s is no catalog, at each use until it can be read; the log has its path', async (_, content) => {
  const { source, told, write } = await sourceOf(content);
  for (let use = 1; use <= 2; use++) {
    const error = await source.load().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CatalogUnavailable);
    expect((error as Error).message).toMatch(/^The catalog cannot be loaded: [^/\\]+\.$/);
    expect(told).toHaveLength(use);
    expect(told.at(-1)).toContain('catalog.json');
  }
  await write(stored);
  expect((await source.load()).size).toBe(3);
});
