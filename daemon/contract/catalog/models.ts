import * as z from 'zod';
import { Timestamp } from '../common/common.ts';
import { Provider } from '../compute/endpoint-compute.ts';
import { CatalogItem, Recipe } from './catalog.ts';

/** Where the catalog comes from and how the copy on this machine stands. */
export const CatalogSourceStatus = z
  .object({
    kind: z.enum(['embedded', 'remote']),
    /** Of a remote one. */
    url: z.string().nullable(),
    /** Whether a token is kept for it. */
    hasToken: z.boolean(),
    /** When the remote one last said what it has; null: it never did, or the catalog is the shipped one. */
    fetchedAt: Timestamp.nullable(),
    /** Why it could not be read anew, for a person; null: it could. */
    problem: z.string().nullable(),
    /** How many models there are. */
    total: z.int(),
  })
  .meta({ id: 'CatalogSourceStatus' });
export type CatalogSourceStatus = z.infer<typeof CatalogSourceStatus>;

/** Compute that a recipe could run on. */
export const OfferInfo = z
  .object({
    id: z.string(),
    /** "this machine", or vendor, region and instance. */
    label: z.string(),
    provider: Provider,
    accelerator: z.string(),
    instanceType: z.string(),
    instanceSize: z.string(),
    /** US dollars. */
    pricePerHour: z.number(),
  })
  .meta({ id: 'OfferInfo' });
export type OfferInfo = z.infer<typeof OfferInfo>;

/** Whether the best recipe of a model would run, said in one sentence; null sizes: not known. */
export const Fit = z
  .object({
    fits: z.boolean(),
    /** The recipe that a deploy would take; null: none. */
    publicId: z.string().nullable(),
    offer: OfferInfo.nullable(),
    needBytes: z.number().nullable(),
    capacityBytes: z.number().nullable(),
    sentence: z.string(),
  })
  .meta({ id: 'Fit' });
export type Fit = z.infer<typeof Fit>;

/** A catalog item as a card shows it. */
export const ModelSummary = CatalogItem.extend({
  /** What the smallest recipe's weights take, in bytes; null: not known. */
  smallestBytes: z.number().nullable(),
  parameterCount: z.number().nullable(),
  fit: Fit,
}).meta({ id: 'ModelSummary' });
export type ModelSummary = z.infer<typeof ModelSummary>;

export const FacetCount = z.object({ value: z.string(), count: z.int() }).meta({ id: 'FacetCount' });
export type FacetCount = z.infer<typeof FacetCount>;

export const ModelFacets = z
  .object({
    task: z.array(FacetCount),
    license: z.array(FacetCount),
    accelerator: z.array(FacetCount),
    engine: z.array(FacetCount),
    author: z.array(FacetCount),
  })
  .meta({
    id: 'ModelFacets',
    description: 'How many models match with each value; the facet itself is left out of it',
  });
export type ModelFacets = z.infer<typeof ModelFacets>;

export const ModelPage = z
  .object({
    models: z.array(ModelSummary),
    /** How many models match, over all pages. */
    matches: z.int(),
    page: z.int(),
    pages: z.int(),
    facets: ModelFacets,
    source: CatalogSourceStatus,
  })
  .meta({ id: 'ModelPage' });
export type ModelPage = z.infer<typeof ModelPage>;

/** One recipe and one offer, and whether they go together. */
export const ConsideredOffer = z.object({
  offer: OfferInfo,
  fits: z.boolean(),
  capacityBytes: z.number().nullable(),
  /** Why, or why not, in one sentence. */
  reason: z.string(),
});
export type ConsideredOffer = z.infer<typeof ConsideredOffer>;

/** One recipe as the table of a model shows it. */
export const ConsideredRecipe = z
  .object({
    recipe: Recipe,
    /** A deploy of the model would take this one. */
    isChosen: z.boolean(),
    fits: z.boolean(),
    needBytes: z.number().nullable(),
    /** The best offer for it; where none fits, null. */
    offer: OfferInfo.nullable(),
    capacityBytes: z.number().nullable(),
    /** Why it would run there, or why it would not run at all, in one sentence. */
    reason: z.string(),
    considered: z.array(ConsideredOffer),
  })
  .meta({ id: 'ConsideredRecipe' });
export type ConsideredRecipe = z.infer<typeof ConsideredRecipe>;

export const ModelDetail = z
  .object({
    item: CatalogItem,
    parameterCount: z.number().nullable(),
    /** Tokens. */
    contextLength: z.int().nullable(),
    fit: Fit,
    recipes: z.array(ConsideredRecipe),
    /** A name for an endpoint of it that is free. */
    suggestedName: z.string(),
  })
  .meta({ id: 'ModelDetail' });
export type ModelDetail = z.infer<typeof ModelDetail>;
