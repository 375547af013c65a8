import { expect, test } from 'vitest';
import { StoreApp } from '../contract/apps/store.ts';
import type { HubApp } from '../hub/hub-app.ts';
import { storeApp } from './store-app.ts';

const app: HubApp = {
  id: 'ada/dance-party',
  commit: null,
  author: 'ada',
  title: '',
  description: 'two\nlines \u202eand a trick',
  emoji: '👩🏽‍🚀',
  likes: 2,
  private: true,
  createdAt: '2025-01-01T00:00:00.000Z',
  updatedAt: null,
  tags: null,
};

test('texts of an app are shown on one line; without a title the repository is its name', () => {
  const shown = storeApp('http://hub.lan:8080', app);
  expect(shown).toEqual({
    id: 'ada/dance-party',
    commit: null,
    url: 'http://hub.lan:8080/spaces/ada/dance-party',
    author: 'ada',
    title: 'dance-party',
    description: 'two lines and a trick',
    emoji: '👩🏽‍🚀',
    likes: 2,
    private: true,
    createdAt: '2025-01-01T00:00:00.000Z',
    updatedAt: null,
  });
  expect(StoreApp.parse(shown)).toEqual(shown);
});

test('texts are cut to their limits', () => {
  const long = 'x'.repeat(2_000);
  const shown = storeApp('https://hub.example', { ...app, title: long, description: long, author: long, emoji: long });
  expect([shown.title, shown.description, shown.author, shown.emoji].map(({ length }) => length)).toEqual([
    80, 300, 100, 0,
  ]);
});
