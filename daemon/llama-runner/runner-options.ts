import * as z from 'zod';

/** The argument that makes the runner list the graphics cards and end. */
export const LIST_CARDS = '--list-cards';

/**
 * The runner's one argument, as JSON.
 *
 * Of the `llamacpp` image it honours modelPath, ctxSize, nGpuLayers, nParallel, mode, pooling and the chat templates below.
 * It cannot honour: mmprojModelPath (no images), specModelPath (no draft model), threadsHttp (one thread serves HTTP),
 * variant (only chooses the files to download), port and healthRoute (a socket and /health), custom command, args, and
 * environment variables.
 */
export const RunnerOptions = z.object({
  /** A Unix socket, or on Windows a named pipe. */
  socketPath: z.string().min(1),
  modelPath: z.string().min(1),
  /** The model's name in replies. */
  alias: z.string().min(1),
  /** Tokens of context, shared out among the parallel requests; null or 0: as the model was trained, at most 4,096. */
  ctxSize: z.int().min(0).nullable(),
  /** Requests answered at the same time; null: 1. */
  parallel: z.int().min(1).max(64).nullable(),
  mode: z.enum(['generation', 'embeddings', 'reranking']),
  /** Makes one embedding of the tokens'; null: as the file says, else mean. */
  pooling: z.enum(['mean', 'cls', 'last']).nullable().default(null),
  /** Makes a prompt of a chat; null: the template in the file, else the format that its names suggest. */
  chatTemplate: z.enum(['chatml', 'llama3']).nullable().default(null),
  /** The most CPU threads to use. */
  threads: z.int().min(1),
  /** The graphics card, which the environment selects; null: the processor alone. */
  card: z
    .object({
      /** Layers of the model on it; null: as many as fit beside the context, at least one. */
      layers: z.int().min(1).nullable(),
      /** The most memory of the card to use; null: what is free. */
      maxBytes: z.int().min(0).nullable(),
    })
    .nullable()
    .default(null),
});
export type RunnerOptions = z.infer<typeof RunnerOptions>;

/** @throws ZodError or SyntaxError */
export function parseRunnerOptions(argument: string | undefined): RunnerOptions {
  return RunnerOptions.parse(JSON.parse(argument ?? ''));
}
