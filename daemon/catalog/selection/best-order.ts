import type { Recipe } from '../../contract/catalog/catalog.ts';
import type { Fit, MeasuredSpeed } from '../../contract/catalog/models.ts';

/** The speeds of recipes as measured on this machine; another object once they say something else. */
export interface MeasuredSpeeds {
  /** Of replicas with the settings that a deploy from the catalog has; undefined: not measured. */
  of(repoId: string, recipe: Recipe): MeasuredSpeed | undefined;
}

export const noSpeeds: MeasuredSpeeds = { of: () => undefined };

/** In tokens a second: about as fast as a person reads. */
const QUICK_SPEED = 5;
/** Without a measurement a model with fewer parameters counts as quick on a processor, whose time for a token grows with them. */
const QUICK_PARAMETERS = 5e9;

/**
 * Ranks how well a model suits this machine, 0 the best: with memory to spare and quick; with memory to spare, speed unknown;
 * with memory to spare, measured as slow; fits in another way, perhaps once a program is installed; does not fit. Quick is what
 * was measured so. Unmeasured, it is what is wholly on the graphics card, or small.
 * @param parameterCount null: unknown
 */
export function bestRank(fit: Fit, parameterCount: number | null): number {
  const { fits, tight, place, canInstall, speed } = fit;
  if (!fits) return canInstall ? 3 : 4;
  if (tight || place === 'card-partly') return 3;
  if (speed) return speed.tokensPerSecond >= QUICK_SPEED ? 0 : 2;
  return place !== 'processor' || (parameterCount ?? Infinity) < QUICK_PARAMETERS ? 0 : 1;
}
