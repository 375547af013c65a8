import * as z from 'zod';
import { sendJson } from '../http/send-json.ts';
import type { Embedder } from '../model/embedder.ts';
import { refuseUnknownTokens } from './completion.ts';
import type { ReplyTo } from './generation-reply.ts';
import { refuseUnsupported } from './unsupported.ts';

const MAX_INPUTS = 2_048;
const text = z.string().min(1, 'an empty text has no embedding');
const tokens = z.array(z.int().min(0)).min(1);
const many = `expected a text, a list of tokens, or a list of 1 to ${MAX_INPUTS} of these`;
const input = z.union([text, tokens, z.array(text).min(1).max(MAX_INPUTS), z.array(tokens).min(1).max(MAX_INPUTS)], {
  error: many,
});

/** The body of POST /v1/embeddings. Other members are ignored. */
export const EmbeddingsRequest = z
  .looseObject({ input, encoding_format: z.enum(['float', 'base64']).nullish() })
  .superRefine(refuseUnsupported);
export type EmbeddingsRequest = z.infer<typeof EmbeddingsRequest>;

/** Answers POST /v1/embeddings. */
export async function embed(embedder: Embedder, body: EmbeddingsRequest, to: ReplyTo): Promise<void> {
  const inputs = inputsOf(body.input);
  refuseUnknownTokens(inputs, embedder.vocabularySize, 'input');
  const { vectors, tokens: count } = await embedder.embed(inputs, to.signal);
  const encode = body.encoding_format === 'base64' ? base64 : (vector: readonly number[]) => vector;
  sendJson(to.response, 200, {
    object: 'list',
    model: to.model,
    data: vectors.map((vector, index) => ({ object: 'embedding', index, embedding: encode(vector) })),
    usage: { prompt_tokens: count, total_tokens: count },
  });
}

function inputsOf(given: EmbeddingsRequest['input']): readonly (string | readonly number[])[] {
  if (typeof given === 'string') return [given];
  return typeof given[0] === 'number' ? [given as number[]] : (given as string[] | number[][]);
}

/** 32 bit numbers, lowest byte first, as every processor that llama.cpp's library is built for has them. */
function base64(vector: readonly number[]): string {
  return Buffer.from(Float32Array.from(vector).buffer).toString('base64');
}
