import * as z from 'zod';
import { sendJson } from '../http/send-json.ts';
import type { Reranker } from '../model/reranker.ts';
import type { ReplyTo } from './generation-reply.ts';

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
