import type { OwnMove } from '../../../daemon/contract/robot/moves.ts';
import { decimals } from '../../parts/format.ts';

/** The name of a move for people: "Head bob 2" for `head_bob2`. */
export function moveTitle(name: string): string {
  const words = name
    .replaceAll(/[_-]+/g, ' ')
    .replace(/(?<=\D)(?=\d+$)/, ' ')
    .replaceAll(/ +/g, ' ')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const moveDuration = ({ durationS }: OwnMove): string => `${decimals(durationS)} s`;

export const movesHelp = 'The robot plays one at a time; another takes its place.';
export const movesWaitText = (until: string): string => `Moves play once ${until}.`;
export const noMovesText = 'The robot has no moves of its own.';
