import { expect, test } from 'vitest';
import { generatedCatalog } from '../testing/generated-catalog.ts';
import { SearchIndex, searchWords } from './search-index.ts';

const entries = generatedCatalog(500);
const index = await SearchIndex.build(entries);

test.each([
  ['a whole name', (id: string) => id],
  ['three characters', (id: string) => id.slice(-3)],
  ['two characters', (id: string) => id.slice(-2)],
  ['one character', (id: string) => id.slice(-1)],
  ['a short word and a long one', (id: string) => `b ${id}`],
])('a text that holds %s is among those that are looked through', (_, searchFor) => {
  for (const [position, { item }] of entries.entries()) {
    const words = searchWords(searchFor(item.repoId));
    expect(index.candidates(words)).toContain(position);
    expect(index.holds(position, words)).toBe(true);
  }
});

test('few texts are looked through for what few hold', () => {
  let looked = 0;
  for (const { item } of entries) looked += index.candidates(searchWords(item.repoId))?.length ?? entries.length;
  expect(looked / entries.length).toBeLessThan(entries.length / 20);
  expect(index.candidates(searchWords('é'))?.length).toBeLessThan(entries.length / 2);
});

test('without a word nothing narrows down where to look', () => {
  expect(index.candidates(searchWords(' \n '))).toBeNull();
});

test('characters that are not ASCII are found too', async () => {
  const [entry] = entries;
  if (!entry) throw new Error('There are many.');
  const named = await SearchIndex.build([{ ...entry, item: { ...entry.item, modelName: 'Größe-模型一号-😀😀' } }]);
  for (const search of ['GRÖSSE', 'größe', '模型一号', '号', '😀😀']) {
    const words = searchWords(search);
    const isThere = (named.candidates(words) ?? [0]).includes(0) && named.holds(0, words);
    expect(isThere, search).toBe(search !== 'GRÖSSE');
  }
});
