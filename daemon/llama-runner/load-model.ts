import { setTimeout as sleep } from 'node:timers/promises';
import type { Llama, LlamaModel, LlamaModelOptions } from 'node-llama-cpp';
import { ChatPrompts } from './chat-prompts.ts';
import { Embedder } from './embeddings.ts';
import { Generator } from './generator.ts';
import { LOG_MS, openLibrary } from './library.ts';
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
/** The most context without a wish for more: its memory grows with it. */
const AUTOMATIC_CONTEXT = 4_096;
/** An embedding is computed in one batch, whose memory grows with its size too. */
const AUTOMATIC_EMBEDDING_CONTEXT = 2_048;

/** Lines of llama.cpp about what it put on a graphics card. The daemon reads them; see daemon/endpoints/runtime/card-lines.ts. */
const ABOUT_CARD = /offloaded \d+\/\d+ layers| buffer size =|: using device /;

/**
 * Loads a model by the native library, which is loaded here.
 * @throws Error that says why not: the file, the memory, the mode, the graphics card
 */
export async function loadModel(options: RunnerOptions): Promise<LoadedModel> {
  const errors: string[] = [];
  const { library, llama } = await openLibrary({
    usesCard: options.card !== null,
    threads: options.threads,
    onMessage: (level, text) => {
      if (level === 'error') errors.push(text);
      const isShown = level === 'error' || level === 'warn' || ABOUT_CARD.test(text);
      if (isShown) process.stderr.write(`${level}: ${text}\n`);
    },
  });
  const facts = await library.readGgufFileInfo(options.modelPath, { sourceType: 'filesystem', logWarnings: false });
  const architecture = facts.metadata.general.architecture;
  const hasPooling = facts.architectureMetadata.pooling_type !== undefined;
  const pooling = options.pooling ?? (hasPooling ? null : 'mean');
  const gpuLayers = await layersOnCard(options, llama, facts.architectureMetadata.context_length);
  try {
    const model = await llama.loadModel({
      modelPath: options.modelPath,
      gpuLayers,
      ...(options.mode === 'embeddings' && pooling !== null
        ? { metadataOverrides: { [architecture]: { pooling_type: POOLING[pooling] } } }
        : {}),
    });
    return await forMode(options, llama, model);
  } catch (error) {
    await sleep(LOG_MS);
    if (options.card !== null && error instanceof library.InsufficientMemoryError) {
      // Layers that are not on the card take memory of the machine.
      const isOfCard = /VRAM/i.test(error.message);
      throw new Error(isOfCard ? noRoomText(await freeBytes(llama, options.card)) : `Out of memory: ${error.message}`, {
        cause: error,
      });
    }
    // The library's error says only that it failed; the first line of its log says why.
    throw new Error(errors[0] ?? (error as Error).message, { cause: error });
  }
}

/** @throws Error where a graphics card is to be used, and none answers or has any free memory */
async function layersOnCard(
  { card, mode, ctxSize, parallel }: RunnerOptions,
  llama: Llama,
  trainedTokens = Number.POSITIVE_INFINITY,
): Promise<NonNullable<LlamaModelOptions['gpuLayers']>> {
  if (card === null) return 0;
  // The library counts a driver as a card also where it has none.
  if ((await llama.getGpuDeviceNames()).length === 0) throw new Error('No graphics card answers.');
  if (card.maxBytes !== null) await llama.setVramCap(card.maxBytes);
  // Nor does it fail without any memory: it computes on the processor.
  const bytes = await freeBytes(llama, card);
  if (bytes === 0) throw new Error(noRoomText(bytes));
  if (card.layers !== null) return card.layers;
  const embeddingContext = mode !== 'generation';
  const wanted = ctxSize ?? (embeddingContext ? AUTOMATIC_EMBEDDING_CONTEXT : AUTOMATIC_CONTEXT);
  const contextSize = Math.min(wanted, trainedTokens * (parallel ?? 1));
  return { min: 1, fitContext: { contextSize, embeddingContext } };
}

/** The memory of the card that the model may take, which the library's own figure does not regard. */
async function freeBytes(llama: Llama, { maxBytes }: NonNullable<RunnerOptions['card']>): Promise<number> {
  const { free } = await llama.getVramState();
  return Math.min(free, maxBytes ?? free);
}

const noRoomText = (bytes: number) =>
  `The graphics card is out of memory: ${Math.floor(bytes / 1024 ** 2)} MiB are free, which the model does not fit.`;

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
