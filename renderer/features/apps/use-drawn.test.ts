import { renderHook, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { PIECE, useDrawn } from './use-drawn.ts';

const listOf = (length: number) => Array.from({ length }, (_, index) => ({ name: `app_${index}` }));
const namesOf = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);

/** Follows the names that are drawn of a list. */
function follow(list: readonly { readonly name: string }[]) {
  const drawn: string[][] = [];
  const hook = renderHook(
    (shown) => {
      const now = [...useDrawn(shown)];
      if (drawn.at(-1)?.join() !== now.join()) drawn.push(now);
    },
    { initialProps: list },
  );
  return { drawn, ...hook };
}

test('a long list is drawn in pieces, its start first', async () => {
  const list = listOf(150);
  const { drawn } = follow(list);
  await waitFor(() => expect(drawn.at(-1)).toEqual(namesOf(list)));
  expect(drawn.map(({ length }) => length)).toEqual([PIECE, PIECE + 80, 150]);
  expect(drawn[0]).toEqual(namesOf(list).slice(0, PIECE));
});

test('after a search the cards come back in pieces too; those that matched have stayed', async () => {
  const list = listOf(150);
  const { drawn, rerender } = follow(list);
  await waitFor(() => expect(drawn.at(-1)).toHaveLength(150));
  const matches = list.slice(-2);
  rerender(matches);
  expect(drawn.at(-1)).toEqual(namesOf(matches));
  drawn.length = 0;
  rerender(list);
  await waitFor(() => expect(drawn.at(-1)).toHaveLength(150));
  expect(drawn.map(({ length }) => length)).toEqual([PIECE + 2, PIECE + 82, 150]);
  expect(drawn[0]).toEqual([...namesOf(matches), ...namesOf(list).slice(0, PIECE)]);
});

test('a list with nothing in it draws nothing, and a short one is drawn at once', () => {
  const { drawn, rerender } = follow([]);
  const list = listOf(PIECE);
  rerender(list);
  expect(drawn).toEqual([[], namesOf(list)]);
});
