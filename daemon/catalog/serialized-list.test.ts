import { expect, test } from 'vitest';
import { CatalogList } from '../contract/catalog/catalog.ts';
import { createLogger } from '../shared/logger.ts';
import { generatedCatalog } from '../testing/models/generated-catalog.ts';
import { buildCatalog, type ListQuery } from './catalog.ts';

const log = createLogger('error', () => {});
const catalog = await buildCatalog(generatedCatalog(2_000), log);

async function answerTo(query: ListQuery): Promise<{ pieces: Buffer[]; json: unknown }> {
  const reply = await catalog.listReply(query);
  const pieces = [...reply.pieces()];
  const bytes = Buffer.concat(pieces);
  expect(bytes).toHaveLength(reply.byteLength);
  expect(reply.isSmall).toBe(pieces.length === 1);
  return { pieces, json: JSON.parse(bytes.toString()) };
}

test.each<ListQuery>([
  {},
  { limit: 1 },
  { limit: 50 },
  { engine: 'llamacpp' },
  { accelerator: 'cpu', search: 'dune' },
  { search: 'nothing-has-this' },
])('the bytes of the answer to %j are those of the listed items', async (query) => {
  const { json } = await answerTo(query);
  expect(json).toEqual({ items: (await catalog.list(query)).map(({ item }) => item) });
  expect(CatalogList.safeParse(json).success).toBe(true);
});

test('a long answer consists of pieces of similar size', async () => {
  const { pieces } = await answerTo({});
  expect(pieces.length).toBeGreaterThan(3);
  for (const piece of pieces) expect(piece.length).toBeLessThan(300_000);
  expect((await answerTo({ engine: 'tei' })).pieces.length).toBeGreaterThan(0);
});

test('fields beyond the contract are not served, and absent fields are omitted', async () => {
  const [entry] = generatedCatalog(1);
  if (!entry) throw new Error('There is one.');
  const recipe = { ...entry.item.recipes[0], secret: 1, revision: undefined };
  const item = { ...entry.item, x: { secret: 1 }, recipes: [recipe] };
  const odd = await buildCatalog([{ ...entry, item } as unknown as typeof entry], log);
  const text = Buffer.concat([...(await odd.listReply({})).pieces()]).toString();
  expect(text).not.toMatch(/secret|revision|null/);
  expect(Object.keys(JSON.parse(text).items[0])).toEqual([
    'modelName',
    'createdAt',
    'authorName',
    'license',
    'repoId',
    'task',
    'recipes',
  ]);
});
