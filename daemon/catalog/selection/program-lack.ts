import type { Recipe } from '../../contract/catalog/catalog.ts';
import type { ComputeOffer, Lack } from '../compute/compute-offer.ts';
import type { ModelFacts } from '../search/catalog-entry.ts';
import type { Considered } from './selection.ts';

/** What the programs of an offer lack to run a recipe; null: nothing. A vision file takes a program that reads images. */
export function programLack({ lacks }: ComputeOffer, { engineType }: Recipe, { mmprojFile }: ModelFacts): Lack | null {
  if (lacks === undefined) return null;
  const { engines, vision } = lacks;
  return engines[engineType] ?? (engineType === 'llamacpp' && mmprojFile !== undefined ? vision : null);
}

/** What a row that was refused for a missing program lacks; null: it was not. */
export const missingProgram = ({ reason, recipe, offer: { lacks } }: Considered): Lack | null =>
  reason === 'program-missing' ? (lacks?.engines[recipe.engineType] ?? lacks?.vision ?? null) : null;
