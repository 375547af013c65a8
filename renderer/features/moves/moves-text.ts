import type { OwnMove } from '../../../daemon/contract/robot/moves.ts';
import { decimals } from '../../parts/format.ts';

/** The name of a move for people: "Head bob" for `head_bob`. */
export function moveTitle(name: string): string {
  const words = name.replaceAll(/[_-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const moveDuration = ({ durationS }: OwnMove): string => `${decimals(durationS)} s`;
