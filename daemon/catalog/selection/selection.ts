import type { Accelerator, Recipe } from '../../contract/catalog/catalog.ts';
import type { ComputeOffer } from '../compute/compute-offer.ts';

/** Why a recipe goes with an offer, or the first thing that keeps it from it; the last ones it all but fits. */
export type Reason =
  /** The caller asked for other recipes. */
  | 'not-wanted'
  | 'other-accelerator'
  | 'deprecated'
  | 'not-available'
  /** What creates there does not run the engine. */
  | 'engine-unavailable'
  | 'weights-unknown'
  | 'too-small'
  /** It would be split over a number of accelerators that does not divide its attention heads. */
  | 'heads-indivisible'
  /** No configured provider can create there. */
  | 'no-account'
  | 'quota-used-up'
  | 'fits';

/** One recipe on one offer. */
export interface Considered {
  readonly recipe: Recipe;
  readonly offer: ComputeOffer;
  /** With room for the least context; null: not known. */
  readonly needBytes: number | null;
  readonly capacityBytes: number;
  /** Need ÷ capacity; null: not known. */
  readonly ratio: number | null;
  readonly reason: Reason;
}

/** What the caller narrows the choice down to. */
export interface WantedRecipe {
  readonly accelerator?: Accelerator | undefined;
  /** A path in the repository, or its last part. */
  readonly ggufFile?: string | undefined;
}

export interface SelectionPolicy {
  /** What this machine runs itself comes before the engine that is usual for the task. */
  readonly prefersLlamacpp: boolean;
  /** Taken where price and capacity are the same. */
  readonly defaultRegion: string;
}

/** A recipe and where it runs. */
export interface Chosen {
  readonly outcome: 'chosen';
  readonly recipe: Recipe;
  readonly offer: ComputeOffer;
  /** With room for the least context. */
  readonly needBytes: number;
  /** Tokens, of llamacpp alone; null: the engine finds out itself. */
  readonly ctxSize: number | null;
  /** Over how many accelerators the engine splits the model; null: it is not told. */
  readonly tensorParallelSize: number | null;
  /** Every recipe on every offer, by publicId, then by the offer's id. */
  readonly considered: readonly Considered[];
}

/** No recipe of the model is what the caller asked for. */
export interface NoRecipe {
  readonly outcome: 'no-recipe';
  readonly wanted: WantedRecipe;
}

/** The recipes are there, and none goes with any offer. */
export interface NothingFits {
  readonly outcome: 'nothing-fits';
  /** Of what can be had, the nearest to fitting; null: there is nothing. */
  readonly closestMiss: Considered | null;
  /** What would be taken with an account there; null: nothing would fit either. */
  readonly withAccount: Considered | null;
  /** As where one is chosen. */
  readonly considered: readonly Considered[];
}

export type Selection = Chosen | NoRecipe | NothingFits;
