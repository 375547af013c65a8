import * as z from 'zod';
import type { CatalogItem } from '../../contract/catalog/catalog.ts';

/** What a deploy must know of a model beyond what the catalog says; absent: not known. */
export const ModelFacts = z.object({
  parameterCount: z.number().positive().optional(),
  /** By a recipe's publicId. */
  weightBytes: z.record(z.string(), z.number().positive()).default({}),
  /** `bf16`, `f16`, `f32`, `mxfp4`, or `gguf` where each file has its own. */
  nativeDtype: z.string().optional(),
  /** Tokens. */
  contextLength: z.int().positive().optional(),
  arch: z
    .object({
      layers: z.int().positive(),
      /** Of keys and values, not of queries. */
      kvHeads: z.int().positive(),
      headDim: z.int().positive(),
      /** Of queries: what tensor parallelism divides. */
      heads: z.int().positive().optional(),
    })
    .optional(),
  baseModel: z.string().optional(),
  mode: z.enum(['embeddings', 'reranking']).optional(),
  /** The model's eyes, a path in its repository. */
  mmprojFile: z.string().optional(),
});
export type ModelFacts = z.infer<typeof ModelFacts>;

/** A catalog item with what is known beside it; the facts never leave the daemon under `/api/v1`. */
export interface CatalogEntry {
  readonly item: CatalogItem;
  readonly facts: ModelFacts;
}
