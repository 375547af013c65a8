import type { LlamaRankingContext } from 'node-llama-cpp';
import * as z from 'zod';
import { contextExceeded, refuseEndless } from './api-error.ts';
import type { ReplyTo } from './generation-reply.ts';
import { sendJson } from './http-messages.ts';
import { Places } from './places.ts';

const MAX_DOCUMENTS = 2_048;
const document = z.union([z.string(), z.object({ text: z.string() })], { error: 'expected a text' });

/** The body of POST /v1/rerank. Other members are ignored. */
export const RerankRequest = z.looseObject({
  query: z.string().min(1),
  documents: z.array(document).min(1).max(MAX_DOCUMENTS),
  top_n: z.int().min(1).nullish(),
  return_documents: z.boolean().nullish(),
});
export type RerankRequest = z.infer<typeof RerankRequest>;

/** Answers POST /v1/rerank, the most relevant first. */
export async function rerank(reranker: Reranker, body: RerankRequest, to: ReplyTo): Promise<void> {
  const documents = body.documents.map((given) => (typeof given === 'string' ? given : given.text));
  const { scores, tokens } = await reranker.rank(body.query, documents, to.signal);
  const results = scores
    .map((score, index) => ({
      index,
      relevance_score: score,
      ...(body.return_documents ? { document: { text: documents[index] } } : {}),
    }))
    .sort((one, other) => other.relevance_score - one.relevance_score)
    .slice(0, body.top_n ?? scores.length);
  sendJson(to.response, 200, {
    object: 'list',
    model: to.model,
    results,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  });
}

interface Ranking {
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
