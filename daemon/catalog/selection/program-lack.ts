import type { Recipe } from '../../contract/catalog/catalog.ts';
import type { ModelFacts } from '../catalog-entry.ts';
import type { ComputeOffer, Lack } from '../compute/compute-offer.ts';
import type { Considered } from './selection.ts';

/** The reason why the programs of an offer cannot run a recipe; null: they can. A vision file takes a program that reads images. */
export function programLack({ lacks }: ComputeOffer, { engineType }: Recipe, { mmprojFile }: ModelFacts): Lack | null {
  if (lacks === undefined) return null;
  const { engines, vision } = lacks;
  return engines[engineType] ?? (engineType === 'llamacpp' && mmprojFile !== undefined ? vision : null);
}

/** The program that a refused row lacks; null: it was not refused for one. */
export const missingProgram = ({ reason, recipe, offer: { lacks } }: Considered): Lack | null =>
  reason === 'program-missing' ? (lacks?.engines[recipe.engineType] ?? lacks?.vision ?? null) : null;
