import { Tile } from './Tile.tsx';

interface PublisherTileProps {
  /** The person or the organisation that published a model. */
  readonly publisher: string;
  /** As high as a line of text. */
  readonly isSmall?: boolean;
}

/** The publisher of a model: round, where an app is square. No brand is drawn, only its initials. */
export function PublisherTile({ publisher, isSmall = false }: PublisherTileProps) {
  return <Tile name={publisher} isRound isSmall={isSmall} />;
}
