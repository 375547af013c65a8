import * as z from 'zod';
import { digits, namedStrictly, Timestamp } from '../common/common.ts';

/** The hardware that a recipe needs. */
export const Accelerator = z.enum(['cpu', 'gpu', 'neuron']);
export type Accelerator = z.infer<typeof Accelerator>;

export const EngineType = z.enum(['custom', 'llamacpp', 'sglang', 'tei', 'vllm', 'vllmNeuron', 'vllmOmni']);
export type EngineType = z.infer<typeof EngineType>;

/** The engines to filter a list by; `vllm` does not include its variants. */
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
export const Recipe = namedStrictly('Recipe', {
  accelerator: Accelerator,
  engineType: EngineType,
  /** A path inside the model's repository. */
  ggufFile: z.string().optional(),
  /** The unique id of the recipe. */
  publicId: z.string(),
  /** The commit or branch of the model's repository. */
  revision: z.string().optional(),
});
export type Recipe = z.infer<typeof Recipe>;

/** A model and the ways to serve it. */
export const CatalogItem = namedStrictly('CatalogItem', {
  modelName: z.string(),
  createdAt: Timestamp,
  authorName: z.string(),
  license: z.string(),
  /** `<owner>/<name>` of the model's repository. */
  repoId: z.string(),
  task: z.string(),
  recipes: z.array(Recipe),
});
export type CatalogItem = z.infer<typeof CatalogItem>;

export const CatalogList = namedStrictly('CatalogList', { items: z.array(CatalogItem) });

/** Longer than any model's name. */
const SEARCH_CHARACTERS = 200;

export const CatalogQuery = z.object({
  accelerator: Accelerator.optional(),
  engine: ListEngine.optional(),
  license: z.string().max(SEARCH_CHARACTERS).optional().describe('The full licence name, case-insensitive; empty: all'),
  limit: digits(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('The maximum number of items, after filtering and sorting'),
  search: z
    .string()
    .max(SEARCH_CHARACTERS)
    .optional()
    .describe(
      'Words that must all occur in repoId, modelName, authorName, task, license or a ggufFile, case-insensitive',
    ),
  task: ListTask.optional(),
});
export type CatalogQuery = z.infer<typeof CatalogQuery>;
