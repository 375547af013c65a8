import { expect, test } from 'vitest';
import { catalogSource, modelPage } from '../../testing/model-fixtures.ts';
import { isNewerThan } from './catalog-source.ts';

test('a catalog that was refreshed or replaced is newer than a loaded page', () => {
  const page = modelPage([], { source: catalogSource() });
  expect(isNewerThan(catalogSource(), page)).toBe(false);
  expect(isNewerThan(catalogSource({ problem: 'It does not answer.' }), page)).toBe(false);
  expect(isNewerThan(catalogSource({ kind: 'remote', url: 'https://x.test/api/v1' }), page)).toBe(true);
  expect(isNewerThan(catalogSource({ fetchedAt: '2026-03-02T10:00:00.000Z' }), page)).toBe(true);
});
