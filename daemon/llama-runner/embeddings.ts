import type { LlamaEmbeddingContext, LlamaModel, Token } from 'node-llama-cpp';
import * as z from 'zod';
import { contextExceeded, refuseEndless } from './api-error.ts';
import { refuseUnknownTokens } from './completion.ts';
import type { ReplyTo } from './generation-reply.ts';
import { sendJson } from './http-messages.ts';
import { Places } from './places.ts';
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

interface Embeddings {
  /** Of length 1 each. */
  readonly vectors: readonly (readonly number[])[];
  readonly tokens: number;
}

/** Computes embeddings, one request at a time. */
export class Embedder {
  readonly #model: LlamaModel;
  readonly #context: LlamaEmbeddingContext;
  readonly #contextLength: number;
  readonly #places: Places<LlamaEmbeddingContext>;

  /** @param contextLength the tokens that it has room for */
  constructor(model: LlamaModel, context: LlamaEmbeddingContext, contextLength: number) {
    this.#model = model;
    this.#context = context;
    this.#contextLength = contextLength;
    this.#places = new Places([context]);
  }

  /** The number of tokens that the model knows, counted from 0. */
  get vocabularySize(): number {
    return this.#model.fileInfo.metadata.tokenizer.ggml.tokens.length;
  }

  /**
   * @param inputs texts or tokens
   * @throws ApiError 400 when one is longer than the context, 503 when too many wait; the signal's reason
   */
  async embed(inputs: readonly (string | readonly number[])[], signal: AbortSignal): Promise<Embeddings> {
    return await this.#places.use(signal, async (context) => {
      const vectors: number[][] = [];
      let tokens = 0;
      for (const input of inputs) {
        signal.throwIfAborted();
        const own = this.#tokensOf(input);
        tokens += context.calculateInputLength([...own]);
        vectors.push(normalized((await context.getEmbeddingFor(own)).vector));
      }
      return { vectors, tokens };
    });
  }

  #tokensOf(input: string | readonly number[]): Token[] {
    const room = this.#contextLength - 1;
    if (typeof input === 'string') refuseEndless([input], room, (text) => this.#model.tokenize(text).length);
    const tokens = typeof input === 'string' ? this.#model.tokenize(input) : ([...input] as Token[]);
    const length = this.#context.calculateInputLength([...tokens]);
    if (length > room) throw contextExceeded(length, room);
    return tokens;
  }
}

function normalized(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  return length === 0 ? [...vector] : vector.map((value) => value / length);
}
