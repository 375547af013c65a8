import { describe, expect, test } from 'vitest';
import type { StoreApp } from '../contract/apps/store.ts';
import { pageOf, StoreIndex } from './store-index.ts';

const app = (id: string, more: Partial<StoreApp> = {}): StoreApp => ({
  id,
  commit: null,
  url: `https://hub.example/spaces/${id}`,
  author: id.split('/')[0] ?? '',
  title: id.split('/')[1] ?? '',
  description: '',
  emoji: '',
  likes: 0,
  private: false,
  createdAt: null,
  updatedAt: null,
  ...more,
});
const apps = [
  app('ada/dance', {
    title: 'Dance Party',
    description: 'Moves to música',
    likes: 3,
    createdAt: '2025-01-01T00:00:00.000Z',
  }),
  app('bob/radio', { title: 'Ｒadio Straße', likes: 3, updatedAt: '2025-05-01T00:00:00.000Z' }),
  app('cleo/mime', {
    author: 'Cléo',
    likes: 9,
    createdAt: '2025-03-01T00:00:00.000Z',
    updatedAt: '2025-04-01T00:00:00.000Z',
  }),
  app('bob/zebra'),
  app('bob/aardvark'),
];
const index = new StoreIndex(apps);
const ids = (search: string, sort: 'popular' | 'recent' | 'updated' = 'popular') =>
  index.find(search, sort).map(({ id }) => id);

describe('a search finds the apps that contain every word', () => {
  test.each([
    ['dance', ['ada/dance']],
    ['  PARTY   dance ', ['ada/dance']],
    ['musica', ['ada/dance']],
    ['MÚSICA moves', ['ada/dance']],
    ['cleo', ['cleo/mime']],
    ['bob/', ['bob/radio', 'bob/aardvark', 'bob/zebra']],
    ['radio', ['bob/radio']],
    ['dance radio', []],
    ['.*', []],
  ])('%j', (search, expected) => expect(ids(search)).toEqual(expected));
});

test('popular is by likes, then by the last change, then by name', () => {
  expect(ids('')).toEqual(['cleo/mime', 'bob/radio', 'ada/dance', 'bob/aardvark', 'bob/zebra']);
});

test('recent and updated are newest first, without a date last', () => {
  expect(ids('', 'recent')).toEqual(['cleo/mime', 'ada/dance', 'bob/aardvark', 'bob/radio', 'bob/zebra']);
  expect(ids('', 'updated')).toEqual(['bob/radio', 'cleo/mime', 'ada/dance', 'bob/aardvark', 'bob/zebra']);
});

test('pages contain each app once, in any order of the hub', () => {
  const many = Array.from({ length: 95 }, (_, number) => app(`me/app-${number}`));
  const shuffled = new StoreIndex(many.toSorted((a, b) => a.id.slice(-1).localeCompare(b.id.slice(-1))));
  const pages = [1, 2, 3, 4].map((page) => pageOf(shuffled.find('', 'recent'), page, 24));
  expect(pages.map((page) => [page.apps.length, page.pages])).toEqual([
    [24, 4],
    [24, 4],
    [24, 4],
    [23, 4],
  ]);
  const seen = pages.flatMap((page) => page.apps.map(({ id }) => id));
  expect(seen).toEqual(new StoreIndex(many).find('', 'recent').map(({ id }) => id));
  expect(pageOf(shuffled.find('', 'recent'), 5, 24)).toEqual({ apps: [], pages: 4 });
  expect(pageOf([], 1, 24)).toEqual({ apps: [], pages: 0 });
});
