import { registerHooks } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Llama, LlamaModel } from 'node-llama-cpp';
import { ChatPrompts } from './chat-prompts.ts';
import { Embedder } from './embeddings.ts';
import { Generator } from './generator.ts';
import { Reranker } from './rerank.ts';
import type { RunnerOptions } from './runner-options.ts';

/** A model in memory, and the one thing that it is here for. */
export type LoadedModel = { readonly contextLength: number } & (
  | { readonly mode: 'generation'; readonly generator: Generator }
  | { readonly mode: 'embeddings'; readonly embedder: Embedder }
  | { readonly mode: 'reranking'; readonly reranker: Reranker }
);

/** llama.cpp's numbers of the ways to pool. */
const POOLING = { mean: 1, cls: 2, last: 3 };
/** The library's log comes later than its error. */
const LOG_MS = 100;
/** The most context without a wish for more: its memory grows with it. */
const AUTOMATIC_CONTEXT = 4_096;
/** An embedding is computed in one batch, whose memory grows with its size too. */
const AUTOMATIC_EMBEDDING_CONTEXT = 2_048;

/**
 * Loads a model by the native library, which is loaded here.
 * @throws Error that says why not: the file, the memory, the mode
 */
export async function loadModel(options: RunnerOptions): Promise<LoadedModel> {
  const { getLlama, readGgufFileInfo, LlamaLogLevel } = await loadLibrary();
  const facts = await readGgufFileInfo(options.modelPath, { sourceType: 'filesystem', logWarnings: false });
  const errors: string[] = [];
  const llama = await getLlama({
    build: 'never',
    gpu: false,
    maxThreads: options.threads,
    progressLogs: false,
    logLevel: LlamaLogLevel.warn,
    logger: (level, message) => {
      if (isHarmless(message)) return;
      if (level === LlamaLogLevel.error) errors.push(message.trim());
      process.stderr.write(`${level}: ${message.trim()}\n`);
    },
  });
  const architecture = facts.metadata.general.architecture;
  const hasPooling = facts.architectureMetadata.pooling_type !== undefined;
  const pooling = options.pooling ?? (hasPooling ? null : 'mean');
  try {
    const model = await llama.loadModel({
      modelPath: options.modelPath,
      ...(options.mode === 'embeddings' && pooling !== null
        ? { metadataOverrides: { [architecture]: { pooling_type: POOLING[pooling] } } }
        : {}),
    });
    return await forMode(options, llama, model);
  } catch (error) {
    await sleep(LOG_MS);
    // The library's error says only that it failed; the first line of its log says why.
    throw new Error(errors[0] ?? (error as Error).message, { cause: error });
  }
}

async function forMode(options: RunnerOptions, llama: Llama, model: LlamaModel): Promise<LoadedModel> {
  const { mode, threads } = options;
  const parallel = options.parallel ?? 1;
  const context = (automatic: number) => {
    const wanted = options.ctxSize ? Math.floor(options.ctxSize / parallel) : automatic;
    return Math.max(8, Math.min(wanted, model.trainContextSize));
  };
  if (mode === 'generation') {
    const contextSize = context(AUTOMATIC_CONTEXT);
    const created = await model.createContext({ contextSize, threads, sequences: parallel });
    const chats = await ChatPrompts.create(model, options.chatTemplate);
    const generator = new Generator(llama, model, created, chats);
    return { mode, generator, contextLength: created.contextSize };
  }
  const contextSize = context(AUTOMATIC_EMBEDDING_CONTEXT);
  const size = { contextSize, batchSize: contextSize, threads };
  if (mode === 'embeddings') {
    const embedder = new Embedder(model, await model.createEmbeddingContext(size), contextSize);
    return { mode, embedder, contextLength: contextSize };
  }
  if (!model.fileInsights.supportsRanking) {
    throw new Error(
      'The model has no classifier output, so it cannot rerank. Choose a reranker model or another mode.',
    );
  }
  return { mode, reranker: new Reranker(await model.createRankingContext(size)), contextLength: contextSize };
}

const TEST_MODULE = '/bindings/utils/testBindingBinary.js';
const passes = `data:text/javascript,${encodeURIComponent('export const testBindingBinary = async () => true;')}`;

/**
 * Loads node-llama-cpp. Without its trial of the native code in one more process: this process is there to crash in the
 * place of the daemon, the trial takes half of the start, and in the desktop program it would start that program again.
 */
async function loadLibrary(): Promise<typeof import('node-llama-cpp')> {
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      return found.url.endsWith(TEST_MODULE) ? { ...found, url: passes, format: 'module' } : found;
    },
  });
  try {
    return await import('node-llama-cpp');
  } finally {
    hooks.deregister();
  }
}

/** Warnings of the library that say nothing about the model's answers. */
const harmless = [
  'to tokenize text and then detokenize it resulted in a different text',
  'model default pooling_type is',
  'n_ctx_per_seq',
  'n_ctx_seq',
];

/** Whether a line of the library's log is left out. */
function isHarmless(message: string): boolean {
  return message.trim() === '' || harmless.some((part) => message.includes(part));
}
