import type { LlamaEmbeddingContext, LlamaModel, Token } from 'node-llama-cpp';
import { contextExceeded } from '../http/api-error.ts';
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
    const all = inputs.map((input) => (typeof input === 'string' ? this.#model.tokenize(input) : (input as Token[])));
    const lengths = all.map((tokens) => this.#context.calculateInputLength([...tokens]));
    const longest = Math.max(...lengths);
    const room = this.#contextLength - 1;
    if (longest > room) throw contextExceeded(longest, room);
    return await this.#places.use(signal, async () => {
      const vectors: number[][] = [];
      for (const tokens of all) {
        signal.throwIfAborted();
        vectors.push(normalized((await this.#context.getEmbeddingFor([...tokens])).vector));
      }
      return { vectors, tokens: lengths.reduce((sum, length) => sum + length, 0) };
    });
  }
}

function normalized(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  return length === 0 ? [...vector] : vector.map((value) => value / length);
}
