import * as z from 'zod';
import type { CatalogItem } from '../contract/catalog/catalog.ts';

/** Facts about a model that a deploy needs beyond the catalog item; absent: unknown. */
export const ModelFacts = z.object({
  parameterCount: z.number().positive().optional(),
  /** By recipe publicId. */
  weightBytes: z.record(z.string(), z.number().positive()).default({}),
  /** `bf16`, `f16`, `f32`, `mxfp4`, or `gguf` when each file has its own. */
  nativeDtype: z.string().optional(),
  /** Tokens. */
  contextLength: z.int().positive().optional(),
  arch: z
    .object({
      layers: z.int().positive(),
      /** Heads of keys and values, not of queries. */
      kvHeads: z.int().positive(),
      headDim: z.int().positive(),
      /** Query heads, which tensor parallelism divides. */
      heads: z.int().positive().optional(),
    })
    .optional(),
  baseModel: z.string().optional(),
  mode: z.enum(['embeddings', 'reranking']).optional(),
  /** The vision model's path in the repository. */
  mmprojFile: z.string().optional(),
});
export type ModelFacts = z.infer<typeof ModelFacts>;

/** A catalog item with its facts, which the daemon never serves under `/api/v1`. */
export interface CatalogEntry {
  readonly item: CatalogItem;
  readonly facts: ModelFacts;
}
