import * as z from 'zod';
import { named } from '../common/common.ts';

/** The facts in the header of a GGUF file that its use depends on. */
export const GgufFacts = named('GgufFacts', {
  /** `llama`, `bert`, `clip` (a vision file), ... */
  architecture: z.string(),
  name: z.string().nullable(),
  parameterCount: z.int().positive().nullable(),
  /** In tokens. */
  contextLength: z.int().positive().nullable(),
  /** Determines the size of the key-value cache; null: unknown, or the architecture has none. */
  shape: z.object({ layers: z.number(), kvHeads: z.number(), headDim: z.number() }).nullable(),
  /** The quantization of most tensors: `Q4_K_M`. */
  fileType: z.string().nullable(),
  hasChatTemplate: z.boolean(),
  /** How the embeddings of tokens become one; null: the file does not say. */
  pooling: z.enum(['none', 'mean', 'cls', 'last', 'rank']).nullable(),
  /** Whether it has a classifier output, which reranking needs. */
  isClassifier: z.boolean(),
  /** Of all its parts. */
  sizeBytes: z.int().nonnegative(),
});
export type GgufFacts = z.infer<typeof GgufFacts>;

/** A file of a model on this machine, or the files of a repository that a container reads. */
export const ModelFile = named('ModelFile', {
  id: z.string(),
  /** `owner/name` on the hub. */
  repository: z.string(),
  commit: z.string(),
  /** From the top of the repository, with slashes; `.`: all of its files but the .gguf ones. */
  path: z.string(),
  /** Its path on this machine, of a whole repository its folder. A partial file has another name until it is complete. */
  location: z.string(),
  /** The size of what is there. */
  bytes: z.int().nonnegative(),
  /** The size on the hub; null: unknown. */
  totalBytes: z.int().nonnegative().nullable(),
  /** `damaged`: complete once, but no longer of the size on the hub. */
  state: z.enum(['complete', 'partial', 'damaged']),
  lastUsedAt: z.iso.datetime().nullable(),
  /** The names of the endpoints that use it; none: it is a leftover. */
  users: z.array(z.string()),
});
export type ModelFile = z.infer<typeof ModelFile>;
