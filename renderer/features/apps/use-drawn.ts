import { startTransition, useEffect, useState } from 'react';

/** Items that are drawn at once: they fill a window, and take some hundredths of a second. */
export const PIECE = 20;
/** Items that are drawn between the user's input, and put into the page at once, which takes as long. */
const LATER_PIECE = 80;

interface Named {
  readonly name: string;
}

/**
 * Selects the items to draw of a long list: at first as many as fill a window. The others follow at once, but in pieces between
 * the user's input: hundreds at a time would block the page for a second. An item that is drawn stays so while it is in
 * the list; those that a change adds, such as the end of a search, are drawn in the same way.
 * @param list the first items first
 * @returns the names of the items
 */
export function useDrawn(list: readonly Named[]): ReadonlySet<string> {
  const text = list.map(({ name }) => name).join('\n');
  const [before, setBefore] = useState(() => ({ text, drawn: withPiece(new Set(), text, PIECE) }));
  const now = before.text === text ? before : { text, drawn: withPiece(before.drawn, text, PIECE) };
  if (now !== before) setBefore(now);
  const { drawn } = now;
  const isWhole = drawn.size >= list.length;
  useEffect(() => {
    if (!isWhole) startTransition(() => setBefore({ text, drawn: withPiece(drawn, text, LATER_PIECE) }));
  }, [isWhole, text, drawn]);
  return drawn;
}

/** The names that are drawn, and the first of the others. */
function withPiece(drawn: ReadonlySet<string>, text: string, size: number): ReadonlySet<string> {
  const names = text === '' ? [] : text.split('\n');
  return new Set([
    ...names.filter((name) => drawn.has(name)),
    ...names.filter((name) => !drawn.has(name)).slice(0, size),
  ]);
}
