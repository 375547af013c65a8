import * as z from 'zod';
import { named, Timestamp } from '../common/common.ts';
import { Provider } from '../compute/endpoint-compute.ts';
import { Accelerator, CatalogItem, EngineType, Recipe } from './catalog.ts';

/** The source of the catalog, and the state of this machine's copy. */
export const CatalogSourceStatus = named('CatalogSourceStatus', {
  kind: z.enum(['embedded', 'remote']),
  /** The address of a remote catalog. */
  url: z.string().nullable(),
  /** Whether a token is saved for it. */
  hasToken: z.boolean(),
  /** When the remote catalog was last read; null: never, or the catalog is the shipped one. */
  fetchedAt: Timestamp.nullable(),
  /** Why the last refresh failed, for a person; null: it succeeded. */
  problem: z.string().nullable(),
  /** The number of models. */
  total: z.int(),
});
export type CatalogSourceStatus = z.infer<typeof CatalogSourceStatus>;

const filterText = z.string().max(200).optional();

/** The dashboard's search and filters of the catalog. */
export const ModelFilter = z.object({
  search: z.string().max(200).default(''),
  task: filterText,
  license: filterText,
  accelerator: Accelerator.optional(),
  engine: EngineType.optional(),
  author: filterText,
  fits: z
    .stringbool()
    .default(false)
    .describe('Only models with a recipe that would run, perhaps once llama-server is installed'),
  fitsCard: z
    .stringbool()
    .default(false)
    .describe('Only models with a recipe that would run wholly on the graphics card of this machine'),
});
export type ModelFilter = z.infer<typeof ModelFilter>;

/**
 * `best`: what fits with memory to spare and is quick before all others, then what may be slow, then what fits in another way;
 * among equals the largest first. Quick is what was measured so, else what is wholly on the graphics card, or small.
 */
export const ModelSort = z.enum(['best', 'newest', 'name', 'smallest']);
export type ModelSort = z.infer<typeof ModelSort>;

export const ListModelsQuery = ModelFilter.extend({
  sort: ModelSort.default('newest'),
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  limit: z.coerce.number().int().min(1).max(100).default(24),
});
export type ListModelsQuery = z.infer<typeof ListModelsQuery>;

/** Compute for a recipe. */
export const OfferInfo = named('OfferInfo', {
  id: z.string(),
  /** "this machine", or vendor, region and instance. */
  label: z.string(),
  provider: Provider,
  accelerator: z.string(),
  instanceType: z.string(),
  instanceSize: z.string(),
  /** US dollars. */
  pricePerHour: z.number(),
});
export type OfferInfo = z.infer<typeof OfferInfo>;

/** The part of this machine that computes a model; `card-partly`: some of its layers are on the graphics card. */
export const Place = z.enum(['card', 'card-partly', 'processor']);
export type Place = z.infer<typeof Place>;

/** Layers of a model, its output layer counted. */
export const CardLayers = named('CardLayers', { onCard: z.int().min(0), all: z.int().min(1) });
export type CardLayers = z.infer<typeof CardLayers>;

/** Absent in the answers of earlier versions. */
const placing = {
  /** Where on this machine it would run; null: elsewhere, or it does not fit. */
  place: Place.nullable().default(null),
  /** Of its layers, those on the graphics card; null: none, or their number is unknown. */
  layers: CardLayers.nullable().default(null),
};

/** How fast a recipe generated on this machine the last time that one answer had it for itself. No estimate. */
export const MeasuredSpeed = named('MeasuredSpeed', {
  /** Without the time of the prompt. */
  tokensPerSecond: z.number().positive(),
  measuredAt: Timestamp,
  /** The program that served it, with its version; null: unknown. */
  program: z.string().nullable(),
  /** The graphics card that it was on, wholly or in part; null: none is known. */
  card: z.string().nullable(),
});
export type MeasuredSpeed = z.infer<typeof MeasuredSpeed>;

/** Absent: not measured. */
const speed = MeasuredSpeed.optional();

/** Whether the best recipe of a model would run, with a sentence for a person; null sizes: unknown. */
export const Fit = named('Fit', {
  fits: z.boolean(),
  /** Whether it fits, but takes most of the memory: with a short context, and little left for other programs. */
  tight: z.boolean(),
  /** Whether it does not fit because this machine has no program that runs it. */
  lacksRuntime: z.boolean(),
  /** Whether it lacks only a program that can be installed here: llama-server. */
  canInstall: z.boolean(),
  /** The recipe that a deploy would use; null: none. */
  publicId: z.string().nullable(),
  offer: OfferInfo.nullable(),
  needBytes: z.number().nullable(),
  capacityBytes: z.number().nullable(),
  ...placing,
  /** Of that recipe, in its kind of place. */
  speed,
  sentence: z.string(),
});
export type Fit = z.infer<typeof Fit>;

/** A catalog item with the data of its card. */
export const ModelSummary = CatalogItem.extend({
  /** The size of the smallest recipe's weights, in bytes; null: unknown. */
  smallestBytes: z.number().nullable(),
  parameterCount: z.number().nullable(),
  fit: Fit,
}).meta({ id: 'ModelSummary' });
export type ModelSummary = z.infer<typeof ModelSummary>;

export const FacetCount = named('FacetCount', { value: z.string(), count: z.int() });
export type FacetCount = z.infer<typeof FacetCount>;

export const ModelFacets = z
  .object({
    task: z.array(FacetCount),
    license: z.array(FacetCount),
    accelerator: z.array(FacetCount),
    engine: z.array(FacetCount),
    author: z.array(FacetCount),
  } satisfies Record<Exclude<keyof ModelFilter, 'search' | 'fits' | 'fitsCard'>, z.ZodType>)
  .meta({
    id: 'ModelFacets',
    description: 'The number of models for each value, ignoring the filter of the facet itself',
  });
export type ModelFacets = z.infer<typeof ModelFacets>;

export const ModelPage = named('ModelPage', {
  models: z.array(ModelSummary),
  /** The number of matches, over all pages. */
  matches: z.int(),
  /** The number of further matches that `fits` leaves out; absent: it was not asked for. */
  hidden: z.int().min(0).optional(),
  page: z.int(),
  pages: z.int(),
  facets: ModelFacets,
  source: CatalogSourceStatus,
});
export type ModelPage = z.infer<typeof ModelPage>;

/** One recipe on one offer, and whether it fits. */
export const ConsideredOffer = z.object({
  offer: OfferInfo,
  fits: z.boolean(),
  capacityBytes: z.number().nullable(),
  ...placing,
  /** Why, or why not, in one sentence. */
  reason: z.string(),
});
export type ConsideredOffer = z.infer<typeof ConsideredOffer>;

/** One recipe in the table of a model. */
export const ConsideredRecipe = named('ConsideredRecipe', {
  recipe: Recipe,
  /** Whether a deploy of the model would use this recipe. */
  isChosen: z.boolean(),
  fits: z.boolean(),
  /** See `Fit`. */
  tight: z.boolean(),
  lacksRuntime: z.boolean(),
  canInstall: z.boolean(),
  needBytes: z.number().nullable(),
  /** The best offer for it; null: none fits. */
  offer: OfferInfo.nullable(),
  capacityBytes: z.number().nullable(),
  ...placing,
  speed,
  /** Why it would run there, or why not at all, in one sentence. */
  reason: z.string(),
  considered: z.array(ConsideredOffer),
});
export type ConsideredRecipe = z.infer<typeof ConsideredRecipe>;

export const ModelDetail = named('ModelDetail', {
  item: CatalogItem,
  parameterCount: z.number().nullable(),
  /** In tokens. */
  contextLength: z.int().nullable(),
  fit: Fit,
  recipes: z.array(ConsideredRecipe),
  /** An unused name for an endpoint of the model. */
  suggestedName: z.string(),
});
export type ModelDetail = z.infer<typeof ModelDetail>;

/** The download that a deploy of one recipe on this machine needs, in bytes. */
export const RecipeDownload = named('RecipeDownload', {
  publicId: z.string(),
  /** The size of its files; null: unknown. */
  totalBytes: z.int().nullable(),
  /** Whether that is the size on the hub, not the estimate of the catalog. */
  isExact: z.boolean(),
  /** The part that is not on this machine; 0: nothing is to be downloaded, null: unknown. */
  missingBytes: z.int().nullable(),
  /** The space that the disk lacks for it; 0: it fits, null: unknown. */
  lackingBytes: z.int().nullable(),
  /** Why it would fail now, and what to do; null: nothing is known against it. */
  problem: z.object({ message: z.string(), action: z.string() }).nullable(),
  /** Whether it is certain to fail now: the hub cannot be reached, or does not have the files for this account. */
  isBlocked: z.boolean(),
});
export type RecipeDownload = z.infer<typeof RecipeDownload>;

/** The downloads of a model's recipes that this machine could serve. */
export const ModelDownloads = named('ModelDownloads', {
  recipes: z.array(RecipeDownload),
  /** The disk that takes the files; null: it cannot be asked. */
  disk: z.object({ folder: z.string(), freeBytes: z.int() }).nullable(),
});
export type ModelDownloads = z.infer<typeof ModelDownloads>;
