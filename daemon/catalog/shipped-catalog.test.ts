/** The catalog that travels with the daemon: what a schema cannot say of it. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Accelerator, EngineType, ListTask } from '../contract/catalog/catalog.ts';
import { createLogger } from '../shared/logger.ts';
import { projectDir } from '../testing/daemon/test-daemon.ts';
import { buildCatalog } from './catalog.ts';
import { readCatalogFile } from './catalog-file.ts';

const logged: string[] = [];
const log = createLogger('debug', (line) => logged.push(line));
const entries = await readCatalogFile(join(projectDir, 'assets', 'catalog', 'catalog-items.json'), log);
const catalog = await buildCatalog(entries, log);

/** The range of bits a parameter by data type. Small models store some parts with more bits. */
const bits: Readonly<Record<string, readonly [number, number]>> = {
  q4: [4.5, 6.6],
  q8_0: [8, 8.7],
  f16: [15.8, 16.2],
  bf16: [15.8, 16.2],
  f32: [31.5, 32.5],
  mxfp4: [4.25, 5.4],
};

/** How the weights of a GGUF file are stored: its name says so. */
function dtypeOfFile(file: string): string | undefined {
  return /(?:^|[-._])(q4|q8_0|f16|fp16|mxfp4)(?:[-._]|$)/i.exec(file)?.[1]?.toLowerCase().replace('fp16', 'f16');
}

test('every item is valid, and the file is sorted by name', () => {
  expect(logged).toEqual([]);
  expect(catalog.size).toBe(entries.length);
  expect(entries.length).toBeGreaterThan(100);
  const ids = entries.map(({ item }) => item.repoId);
  expect(ids).toEqual(ids.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
});

test('every task, engine and accelerator of the filters is in the catalog, and no other task', () => {
  expect(new Set(entries.map(({ item }) => item.task))).toEqual(new Set(ListTask.options));
  const recipes = entries.flatMap(({ item }) => item.recipes);
  expect(new Set(recipes.map(({ engineType }) => engineType))).toEqual(new Set(EngineType.options));
  expect(new Set(recipes.map(({ accelerator }) => accelerator))).toEqual(new Set(Accelerator.options));
});

test.each(entries.map((entry) => [entry.item.repoId, entry] as const))('%s', (_, { item, facts }) => {
  expect(item.repoId).toBe(`${item.authorName}/${item.modelName}`);
  expect(item.createdAt >= '2022-03-02' && item.createdAt < '2027').toBe(true);
  expect(item.license).toMatch(/^[a-z0-9.+-]+$/);
  expect(item.recipes).not.toEqual([]);
  expect(Object.keys(facts.weightBytes)).toEqual(item.recipes.map(({ publicId }) => publicId));
  if (facts.arch) expect((facts.arch.heads ?? 0) % facts.arch.kvHeads).toBe(0);
  for (const { engineType, accelerator, publicId, ggufFile, revision } of item.recipes) {
    const serving = `${engineType}-${accelerator}`.toLowerCase();
    expect(publicId).toMatch(/^[a-z0-9.-]+$/);
    expect(publicId).toContain(`${item.repoId.replace('/', '--').replaceAll('_', '-').toLowerCase()}--${serving}`);
    expect(engineType === 'llamacpp').toBe(ggufFile !== undefined);
    if (ggufFile !== undefined) expect(ggufFile).toMatch(/^[\w.-]+\.gguf$/);
    if (revision !== undefined) expect(revision).toMatch(/^[0-9a-f]{40}$/);
    const dtype = ggufFile === undefined ? facts.nativeDtype : dtypeOfFile(ggufFile);
    const [least, most] = bits[dtype ?? ''] ?? [];
    const bitsEach = ((facts.weightBytes[publicId] ?? 0) * 8) / (facts.parameterCount ?? 0);
    expect(bitsEach, `bits of a parameter of ${publicId}`).toBeGreaterThanOrEqual(least ?? Number.NaN);
    expect(bitsEach, `bits of a parameter of ${publicId}`).toBeLessThanOrEqual(most ?? Number.NaN);
  }
});
