import { expect, test } from 'vitest';
import { readHubApp } from './hub-app.ts';

const commit = 'a'.repeat(40);
const entry = {
  id: '66f0',
  name: 'ada/dance',
  sha: commit,
  author: 'ada',
  cardData: { title: 'Dance', short_description: 'Moves.', emoji: '💃', colorFrom: 'red' },
  likes: 7,
  private: false,
  createdAt: '2025-01-01T00:00:00.000Z',
  updatedAt: new Date('2025-02-01T00:00:00Z'),
  tags: ['robot_python_app'],
};
const app = {
  id: 'ada/dance',
  commit,
  author: 'ada',
  title: 'Dance',
  description: 'Moves.',
  emoji: '💃',
  likes: 7,
  private: false,
  createdAt: '2025-01-01T00:00:00.000Z',
  updatedAt: '2025-02-01T00:00:00.000Z',
  tags: ['robot_python_app'],
};

test('an entry is read', () => expect(readHubApp(entry)).toEqual(app));

test.each<[object, object]>([
  [{ sha: undefined }, { commit: null }],
  [{ sha: '../x' }, { commit: null }],
  [{ author: undefined }, { author: 'ada' }],
  [{ author: 5 }, { author: 'ada' }],
  [{ cardData: undefined }, { title: '', description: '', emoji: '' }],
  [{ cardData: [] }, { title: '', description: '', emoji: '' }],
  [{ cardData: { title: 5, emoji: ['x'] } }, { title: '', description: '', emoji: '' }],
  [{ likes: -1 }, { likes: 0 }],
  [{ likes: 'many' }, { likes: 0 }],
  [
    { createdAt: undefined, updatedAt: new Date(Number.NaN) },
    { createdAt: null, updatedAt: null },
  ],
  [{ createdAt: 'yesterday' }, { createdAt: null }],
  [{ createdAt: null }, { createdAt: null }],
  [{ tags: undefined }, { tags: null }],
  [{ tags: 'robot_python_app' }, { tags: null }],
])('%j is left empty', (odd, read) => expect(readHubApp({ ...entry, ...odd })).toEqual({ ...app, ...read }));

test.each([null, 'x', {}, { ...entry, name: undefined }, { ...entry, name: '../etc' }, { ...entry, name: 'a/b/c' }])(
  '%j is no entry',
  (odd) => expect(readHubApp(odd)).toBeNull(),
);

test('huge texts are cut before any processing', () => {
  const long = 'x'.repeat(1_000_000);
  expect(readHubApp({ ...entry, cardData: { title: long } })?.title).toHaveLength(2_000);
});
