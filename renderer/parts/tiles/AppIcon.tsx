import { useState } from 'react';
import type { SampleApp } from '../../../daemon/contract/apps/apps.ts';
import { Tile } from './Tile.tsx';

interface AppIconProps {
  readonly app: Pick<SampleApp, 'title' | 'icon'>;
}

/**
 * The app's own icon, as an image, in which nothing runs; the drawn tile of its title until the image is loaded, and when
 * it cannot be.
 */
export function AppIcon({ app: { title, icon } }: AppIconProps) {
  const [loaded, setLoaded] = useState<string | null>(null);
  return (
    <Tile name={title} isCovered={icon !== null && loaded === icon}>
      {icon !== null && <img className="tile-picture" src={icon} alt="" onLoad={() => setLoaded(icon)} />}
    </Tile>
  );
}
