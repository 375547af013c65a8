import type { ReactNode } from 'react';
import { tileLook } from './tile-look.ts';
import './tile.css';

interface TileProps {
  /** Of the app or the publisher, for people. */
  readonly name: string;
  readonly isRound?: boolean;
  readonly isSmall?: boolean;
  /** Whether a picture is there instead of the drawing. */
  readonly isCovered?: boolean;
  /** A picture over the drawing. */
  readonly children?: ReactNode;
}

/**
 * A drawn tile with the initials of a name that stands beside it. The style draws the letters, so that neither a screen
 * reader nor a search in the page meets them.
 */
export function Tile({ name, isRound = false, isSmall = false, isCovered = false, children }: TileProps) {
  const { letters, tone, shape } = tileLook(name);
  const classes = ['tile', isRound && 'tile-round', isSmall && 'tile-small', isCovered && 'tile-covered'];
  return (
    <span
      className={classes.filter(Boolean).join(' ')}
      data-letters={letters.slice(0, isSmall ? 1 : 2).join('')}
      data-tone={tone}
      data-shape={shape}
      aria-hidden="true"
    >
      {children}
    </span>
  );
}
