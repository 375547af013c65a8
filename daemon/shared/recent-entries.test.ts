import { expect, test } from 'vitest';
import { RecentEntries } from './recent-entries.ts';

function entriesAfter(limits: { entries: number; characters: number }, ...added: string[]): readonly string[] {
  const recent = new RecentEntries(limits);
  for (const entry of added) recent.add(entry);
  return recent.list;
}

test('the newest entries are kept in their order, at most so many', () => {
  expect(entriesAfter({ entries: 2, characters: 100 })).toEqual([]);
  expect(entriesAfter({ entries: 2, characters: 100 }, 'a', 'b')).toEqual(['a', 'b']);
  expect(entriesAfter({ entries: 2, characters: 100 }, 'a', 'b', 'c')).toEqual(['b', 'c']);
});

test('together they have at most so many characters', () => {
  expect(entriesAfter({ entries: 9, characters: 5 }, 'aa', 'bb', 'c')).toEqual(['aa', 'bb', 'c']);
  expect(entriesAfter({ entries: 9, characters: 5 }, 'aa', 'bb', 'cc')).toEqual(['bb', 'cc']);
  expect(entriesAfter({ entries: 9, characters: 5 }, 'aa', 'bb', 'cccc')).toEqual(['cccc']);
});

test('one that is longer than all may be loses its end, and is followed by others', () => {
  expect(entriesAfter({ entries: 9, characters: 5 }, 'aa', 'bbbbbbbb')).toEqual(['bbbbb']);
  expect(entriesAfter({ entries: 9, characters: 5 }, 'bbbbbbbb', 'cc')).toEqual(['cc']);
});
