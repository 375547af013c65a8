import type { LlamaRankingContext } from 'node-llama-cpp';
import { contextExceeded, refuseEndless } from '../http/api-error.ts';
import { Places } from './places.ts';

export interface Ranking {
  /** From 0 to 1, in the order of the documents. */
  readonly scores: readonly number[];
  readonly tokens: number;
}

/** Scores documents by their relevance to a query, one request at a time. */
export class Reranker {
  readonly #context: LlamaRankingContext;
  readonly #places: Places<LlamaRankingContext>;

  constructor(context: LlamaRankingContext) {
    this.#context = context;
    this.#places = new Places([context]);
  }

  /** @throws ApiError 400 when one is longer than the context, 503 when too many wait; the signal's reason */
  async rank(query: string, documents: readonly string[], signal: AbortSignal): Promise<Ranking> {
    const room = this.#context.contextSize - 1;
    return await this.#places.use(signal, async (context) => {
      const scores: number[] = [];
      let tokens = 0;
      for (const document of documents) {
        signal.throwIfAborted();
        refuseEndless([query, document], room, (text) => context.model.tokenize(text).length);
        const length = context.calculateInputLength(query, document);
        if (length > room) throw contextExceeded(length, room);
        tokens += length;
        scores.push(await context.rank(query, document));
      }
      return { scores, tokens };
    });
  }
}
