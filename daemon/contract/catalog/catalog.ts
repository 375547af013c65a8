import * as z from 'zod';
import { digits, Timestamp } from '../common/common.ts';

/** What a recipe computes on. */
export const Accelerator = z.enum(['cpu', 'gpu', 'neuron']);
export type Accelerator = z.infer<typeof Accelerator>;

export const EngineType = z.enum(['custom', 'llamacpp', 'sglang', 'tei', 'vllm', 'vllmNeuron', 'vllmOmni']);
export type EngineType = z.infer<typeof EngineType>;

/** What a list can be narrowed down to; `vllm` means that engine alone, not its relatives. */
export const ListEngine = EngineType.extract(['llamacpp', 'tei', 'vllm', 'sglang']);

export const ListTask = z.enum([
  'any-to-any',
  'audio-classification',
  'automatic-speech-recognition',
  'custom',
  'feature-extraction',
  'fill-mask',
  'image-classification',
  'image-segmentation',
  'image-text-to-text',
  'object-detection',
  'question-answering',
  'sentence-similarity',
  'summarization',
  'table-question-answering',
  'text-classification',
  'text-generation',
  'text-ranking',
  'text-to-image',
  'token-classification',
  'translation',
  'zero-shot-classification',
]);

/** One way to serve a model. */
export const Recipe = z
  .strictObject({
    accelerator: Accelerator,
    engineType: EngineType,
    /** A path inside the model's repository. */
    ggufFile: z.string().optional(),
    /** Names exactly this recipe. */
    publicId: z.string(),
    /** The commit or branch of the model that the recipe is pinned to. */
    revision: z.string().optional(),
  })
  .meta({ id: 'Recipe' });
export type Recipe = z.infer<typeof Recipe>;

/** A model and the ways to serve it. */
export const CatalogItem = z
  .strictObject({
    modelName: z.string(),
    createdAt: Timestamp,
    authorName: z.string(),
    license: z.string(),
    /** `<owner>/<name>` of the model's repository. */
    repoId: z.string(),
    task: z.string(),
    recipes: z.array(Recipe),
  })
  .meta({ id: 'CatalogItem' });
export type CatalogItem = z.infer<typeof CatalogItem>;

export const CatalogList = z.strictObject({ items: z.array(CatalogItem) }).meta({ id: 'CatalogList' });

/** Longer than any model's name. */
const SEARCH_CHARACTERS = 200;

export const CatalogQuery = z.object({
  accelerator: Accelerator.optional(),
  engine: ListEngine.optional(),
  license: z.string().max(SEARCH_CHARACTERS).optional().describe('The whole licence, in any case; empty: every one'),
  limit: digits(Number.MAX_SAFE_INTEGER).optional().describe('At most so many items, counted after filter and order'),
  search: z
    .string()
    .max(SEARCH_CHARACTERS)
    .optional()
    .describe('Words that repoId, modelName, authorName, task, license or a ggufFile hold, all of them, in any case'),
  task: ListTask.optional(),
});
export type CatalogQuery = z.infer<typeof CatalogQuery>;
