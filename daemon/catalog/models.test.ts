import { expect, test, vi } from 'vitest';
import type { CatalogSourceStatus } from '../contract/catalog/models.ts';
import { createLogger } from '../shared/logger.ts';
import { generatedCatalog } from '../testing/models/generated-catalog.ts';
import { buildCatalog } from './catalog.ts';
import { Models } from './models.ts';

const log = createLogger('error', () => {});
const status: CatalogSourceStatus = {
  ...{ kind: 'remote', url: 'https://catalog.example/api/v1', hasToken: true, fetchedAt: null, problem: null },
  total: 1,
};
const query = { search: '', fits: true, sort: 'newest', page: 1, limit: 100 } as const;

async function modelsOf(kind: 'embedded' | 'remote') {
  const catalog = await buildCatalog(generatedCatalog(20), log);
  const source = { kind, status, load: async () => catalog };
  const offers = vi.fn(async () => []);
  return { catalog, source, offers, models: new Models({ catalog: source, offers, suggestedName: async () => 'a-1' }) };
}

test('every recipe of a remote catalog fits, and nothing is computed here', async () => {
  const { catalog, models } = await modelsOf('remote');
  const [entry] = catalog.entries;
  const [author = '', model = ''] = entry?.item.repoId.split('/') ?? [];
  const detail = await models.detail(author, model);
  expect(detail.recipes.map(({ recipe }) => recipe)).toEqual(entry?.item.recipes);
  expect(detail.recipes.every(({ fits, isChosen, considered }) => fits && !isChosen && considered.length === 0)).toBe(
    true,
  );
  expect((await models.list(query)).matches).toBe(20);
});

test('a remote catalog stays remote when another one is chosen while it loads', async () => {
  const { catalog, source, models } = await modelsOf('embedded');
  source.load = async () => {
    source.kind = 'remote';
    return catalog;
  };
  expect((await models.list(query)).matches).toBe(0); // no compute here
});
