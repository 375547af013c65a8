import type { Accelerator, Recipe } from '../../contract/catalog/catalog.ts';
import type { CardLayers, Place } from '../../contract/catalog/models.ts';
import type { ModelFacts } from '../catalog-entry.ts';
import type { CardMemory, ComputeOffer, Lack } from '../compute/compute-offer.ts';

/** Why a recipe fits an offer, or the first reason why it does not, ordered from unsuitable to almost fitting. */
export type Reason =
  /** The caller requested other recipes. */
  | 'not-wanted'
  | 'other-accelerator'
  | 'deprecated'
  | 'not-available'
  /** The provider cannot run the engine. */
  | 'engine-unavailable'
  | 'weights-unknown'
  | 'too-small'
  /** The number of accelerators does not divide its attention heads. */
  | 'heads-indivisible'
  /** A program that runs it, or its images, is not installed there. */
  | 'program-missing'
  /** No configured provider can create endpoints on it. */
  | 'no-account'
  | 'quota-used-up'
  | 'fits';

/** One recipe on one offer. */
export interface Considered {
  readonly recipe: Recipe;
  readonly offer: ComputeOffer;
  /** With the shortest context; null: unknown. */
  readonly needBytes: number | null;
  /** The memory that it fits in, or that is too small for it. */
  readonly capacityBytes: number;
  /** Need ÷ capacity; null: unknown. */
  readonly ratio: number | null;
  readonly reason: Reason;
  /** Where on this machine it would run; null: elsewhere, or it does not fit. */
  readonly place: Place | null;
  /** Of its layers, those on the graphics card; null: none, or their number is unknown. */
  readonly layers: CardLayers | null;
}

/** The memory of the graphics card that a recipe would use itself, not in a container; undefined: none. */
export const cardFor = ({ accelerator, engineType }: Recipe, { card }: ComputeOffer): CardMemory | undefined =>
  accelerator === 'gpu' && engineType === 'llamacpp' ? card : undefined;

/** The caller's conditions for the recipe. */
export interface WantedRecipe {
  readonly accelerator?: Accelerator | undefined;
  /** A path in the repository, or its last part. */
  readonly ggufFile?: string | undefined;
}

/** The chosen recipe and its place. */
export interface Chosen extends Pick<Considered, 'recipe' | 'offer' | 'capacityBytes' | 'place' | 'layers'> {
  readonly outcome: 'chosen';
  /** With the shortest context. */
  readonly needBytes: number;
  /** Tokens, for llamacpp only; null: the engine decides. */
  readonly ctxSize: number | null;
  /** The number of accelerators that the engine splits the model across; null: the engine decides. */
  readonly tensorParallelSize: number | null;
  /** Every recipe on every offer, by publicId, then by the offer's id. */
  readonly considered: readonly Considered[];
}

/** No recipe of the model matches the request. */
export interface NoRecipe {
  readonly outcome: 'no-recipe';
  readonly wanted: WantedRecipe;
}

/** Recipes match, but none fits an offer. */
export interface NothingFits {
  readonly outcome: 'nothing-fits';
  /** The row nearest to fitting among available offers; null: no offer is available. */
  readonly closestMiss: Considered | null;
  /** The best row that only needs an account; null: none. */
  readonly withAccount: Considered | null;
  /** See `Chosen`. */
  readonly considered: readonly Considered[];
}

export type Selection = Chosen | NoRecipe | NothingFits;

/** The reason why the programs of an offer cannot run a recipe; null: they can. A vision file takes a program that reads images. */
export function programLack({ lacks }: ComputeOffer, { engineType }: Recipe, { mmprojFile }: ModelFacts): Lack | null {
  if (lacks === undefined) return null;
  const { engines, vision } = lacks;
  return engines[engineType] ?? (engineType === 'llamacpp' && mmprojFile !== undefined ? vision : null);
}

/** The program that a refused row lacks; null: it was not refused for one. */
export const missingProgram = ({ reason, recipe, offer: { lacks } }: Considered): Lack | null =>
  reason === 'program-missing' ? (lacks?.engines[recipe.engineType] ?? lacks?.vision ?? null) : null;
