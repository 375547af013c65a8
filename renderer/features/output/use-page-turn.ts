import { useState } from 'react';

/** A page of lines: the oldest after a number, or the newest before one. */
export interface Turn {
  readonly after?: number;
  readonly before?: number;
}

export const newestPage: Turn = {};

/** The page that is turned to. Another key begins with the newest page. */
export function usePageTurn(key: string): readonly [Turn, (turn: Turn) => void] {
  const [turned, setTurned] = useState<{ readonly key: string; readonly turn: Turn } | null>(null);
  return [turned?.key === key ? turned.turn : newestPage, (turn) => setTurned({ key, turn })];
}
