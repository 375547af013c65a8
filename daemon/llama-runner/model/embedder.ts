import type { LlamaEmbeddingContext, LlamaModel, Token } from 'node-llama-cpp';
import { contextExceeded, refuseEndless } from '../http/api-error.ts';
import { Places } from './places.ts';

export interface Embeddings {
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
