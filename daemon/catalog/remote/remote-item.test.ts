import { expect, test } from 'vitest';
import { CatalogItem } from '../../contract/catalog/catalog.ts';
import { remoteItem } from './remote-list.ts';

const recipe = { accelerator: 'gpu', engineType: 'vllm', publicId: 'ada--poet--vllm-gpu' };
const item = {
  modelName: 'Poet',
  createdAt: '2026-01-02T03:04:05.678Z',
  authorName: 'Ada',
  license: 'mit',
  repoId: 'ada/poet',
  task: 'text-generation',
  recipes: [{ ...recipe, ggufFile: 'a/b.gguf', revision: 'main' }],
};

test('an item of the specification stays unchanged', () => {
  expect(remoteItem(item)).toEqual({ item, skippedRecipes: 0 });
});

test('unknown members are dropped, and unknown display texts kept', () => {
  const newer = { ...item, task: 'dreaming', stars: 5, recipes: [{ ...recipe, price: 1, ggufFile: null }] };
  expect(remoteItem(newer)).toEqual({ item: { ...item, task: 'dreaming', recipes: [recipe] }, skippedRecipes: 0 });
});

test('display texts may be missing', () => {
  const { repoId, createdAt } = item;
  const found = remoteItem({ repoId, createdAt, recipes: [recipe], license: null, modelName: ' ' }).item;
  expect(found).toEqual({
    ...{ repoId, createdAt, recipes: [recipe] },
    ...{ modelName: 'poet', authorName: 'ada', license: 'unknown', task: 'unknown' },
  });
  expect(CatalogItem.parse(found)).toEqual(found);
});

test.each([
  ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z'],
  ['2026-01-02T05:04:05.678+02:00', '2026-01-02T03:04:05.678Z'],
  ['2026-01-02', '2026-01-02T00:00:00.000Z'],
])('the time %s is normalized', (createdAt, ours) => {
  expect(remoteItem({ ...item, createdAt }).item?.createdAt).toBe(ours);
});

test.each([
  ['an unknown engine', { engineType: 'warp' }],
  ['an unknown accelerator', { accelerator: 'zero_gpu' }],
  ['no name', { publicId: undefined }],
  ['an empty name', { publicId: '' }],
  ['a name with invisible characters', { publicId: 'ada\u202e--poet' }],
  ['a name of two lines', { publicId: 'ada\npoet' }],
  ['a name that is too long', { publicId: 'x'.repeat(501) }],
  ['a file name with invisible characters', { ggufFile: 'a\u200bb.gguf' }],
])('a recipe with %s is omitted, and so is an item without recipes', (_, what) => {
  const odd = { ...recipe, ...what };
  expect(remoteItem({ ...item, recipes: [odd, ...item.recipes] })).toEqual({ item, skippedRecipes: 1 });
  expect(remoteItem({ ...item, recipes: [odd] })).toEqual({ item: null, skippedRecipes: 1 });
});

test('a duplicate recipe is omitted', () => {
  const twice = { ...item, recipes: [...item.recipes, ...item.recipes] };
  expect(remoteItem(twice)).toEqual({ item, skippedRecipes: 1 });
});

test.each([
  ['nothing', null],
  ['a text', 'ada/poet'],
  ['no repository', { ...item, repoId: undefined }],
  ['an invalid repository', { ...item, repoId: 'poet' }],
  ['a repository with a path', { ...item, repoId: '../../etc/passwd' }],
  ['no moment', { ...item, createdAt: undefined }],
  ['an invalid time', { ...item, createdAt: 'yesterday' }],
  ['a time out of range', { ...item, createdAt: '+123456-01-01T00:00:00Z' }],
  ['no recipes', { ...item, recipes: undefined }],
  ['an empty list of recipes', { ...item, recipes: [] }],
])('%s makes the item unusable', (_, raw) => {
  expect(remoteItem(raw).item).toBeNull();
});

test('texts are cleaned and truncated', () => {
  const found = remoteItem({ ...item, modelName: 'Po\u202eet\n2', authorName: 'a'.repeat(10_000) }).item;
  expect(found?.modelName).toBe('Poet 2');
  expect(found?.authorName).toHaveLength(200);
});
