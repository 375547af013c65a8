import { expect, test } from 'vitest';
import { generatedCatalog } from '../../testing/models/generated-catalog.ts';
import { SearchTexts, searchWords } from './search-texts.ts';

const entries = generatedCatalog(500);
const texts = await SearchTexts.build(entries);

test.each([
  ['a complete name', (id: string) => id],
  ['three characters', (id: string) => id.slice(-3)],
  ['two characters', (id: string) => id.slice(-2)],
  ['one character', (id: string) => id.slice(-1)],
  ['a short word and a long one', (id: string) => `b ${id}`],
])('a text that contains %s matches', (_, searchFor) => {
  for (const [position, { item }] of entries.entries()) {
    expect(texts.matcher(searchWords(searchFor(item.repoId)))(position)).toBe(true);
  }
});

test('characters beyond ASCII are found', async () => {
  const [entry] = entries;
  if (!entry) throw new Error('There are many.');
  const named = await SearchTexts.build([{ ...entry, item: { ...entry.item, modelName: 'Größe-模型一号-😀😀' } }]);
  for (const search of ['GRÖSSE', 'größe', '模型一号', '号', '😀😀']) {
    expect(named.matcher(searchWords(search))(0), search).toBe(search !== 'GRÖSSE');
  }
});
