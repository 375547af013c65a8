import type { Llama, LlamaContext, LlamaContextSequence, LlamaGrammar, LlamaModel, Token } from 'node-llama-cpp';
import { ApiError, contextExceeded, refuseEndless } from './api-error.ts';
import type { ChatMessage, ChatPrompts, Prompt } from './chat-prompts.ts';
import { evaluateOptions, type GenerationMembers, stopsOf } from './generation-request.ts';
import { Places } from './places.ts';
import { StopTexts, TokenText } from './stop-texts.ts';

/** The tokens of a prompt computed before it is looked whether the request still stands. */
const PROMPT_STEP = 64;
/** A graphics card computes as many as the library takes at once in about the time of a few. */
const PROMPT_STEP_ON_CARD = 512;

interface GenerationRequest {
  readonly prompt: Prompt;
  /** null: until the model ends or the context is full. */
  readonly maxTokens: number | null;
  /** The members of the request, by which it is generated and ends. */
  readonly members: GenerationMembers;
  readonly grammar: LlamaGrammar | null;
}

export interface Generation {
  readonly finishReason: 'stop' | 'length';
  readonly promptTokens: number;
  /** Of these, the tokens that were computed for an earlier request. */
  readonly cachedTokens: number;
  readonly completionTokens: number;
  readonly promptMs: number;
  readonly completionMs: number;
}

/** Generates text. Runs as many requests at once as the context has sequences; the others wait. */
export class Generator {
  readonly llama: Llama;
  readonly #model: LlamaModel;
  readonly #chats: ChatPrompts;
  readonly #contextLength: number;
  readonly #places: Places<LlamaContextSequence>;

  constructor(llama: Llama, model: LlamaModel, context: LlamaContext, chats: ChatPrompts) {
    this.llama = llama;
    this.#model = model;
    this.#chats = chats;
    this.#contextLength = context.contextSize;
    this.#places = new Places(Array.from({ length: context.totalSequences }, () => context.getSequence()));
  }

  /** The number of tokens that the model knows, counted from 0. */
  get vocabularySize(): number {
    return this.#model.fileInfo.metadata.tokenizer.ggml.tokens.length;
  }

  /** @throws ApiError 400 when the model's template refuses the messages, or they cannot fit the context */
  chatPrompt(messages: readonly ChatMessage[]): Prompt {
    // A template gives each message a token at least, also an empty one.
    if (messages.length > this.#contextLength) throw contextExceeded(messages.length, this.#contextLength, 'messages');
    this.#refuseEndless(messages.map(({ content }) => content));
    return this.#chats.prompt(messages);
  }

  /** @param text a text, or tokens. @throws ApiError 400 when it cannot fit the context */
  textPrompt(text: string | readonly number[]): Prompt {
    if (typeof text === 'string') this.#refuseEndless([text]);
    return this.#chats.textPrompt(text);
  }

  /**
   * @param onText receives each piece of the text; generation waits for it
   * @throws ApiError 400 when the prompt is longer than the context, 503 when too many wait; the signal's reason
   */
  async generate(
    request: GenerationRequest,
    onText: (text: string) => Promise<void>,
    signal: AbortSignal,
  ): Promise<Generation> {
    const { tokens } = request.prompt;
    if (tokens.length === 0) throw new ApiError(400, 'The prompt is empty.');
    if (tokens.length >= this.#contextLength) throw contextExceeded(tokens.length, this.#contextLength - 1);
    return await this.#places.use(
      signal,
      (sequence) => this.#generateIn(sequence, request, onText, signal),
      (sequence) => sequence.compareContextTokens(tokens as Token[]).firstDifferentIndex,
    );
  }

  #refuseEndless(texts: readonly string[]): void {
    refuseEndless(texts, this.#contextLength, (text) => this.#model.tokenize(text).length);
  }

  async #generateIn(
    sequence: LlamaContextSequence,
    { prompt, maxTokens, members, grammar }: GenerationRequest,
    onText: (text: string) => Promise<void>,
    signal: AbortSignal,
  ): Promise<Generation> {
    const started = performance.now();
    const promptTokens = prompt.tokens.length;
    const cachedTokens = await readPrompt(sequence, prompt.tokens, signal);
    let firstTokenAt: number | null = null;
    const end = (finishReason: Generation['finishReason'], completionTokens: number): Generation => {
      const now = performance.now();
      const promptMs = (firstTokenAt ?? now) - started;
      const completionMs = now - started - promptMs;
      return { finishReason, promptTokens, cachedTokens, completionTokens, promptMs, completionMs };
    };
    const limit = Math.min(maxTokens ?? Number.POSITIVE_INFINITY, this.#contextLength - promptTokens);
    const generated: Token[] = [];
    const text = new TokenText(this.#model.tokenizer.detokenize, prompt.tokens);
    // A grammar knows the end of its texts.
    const stopTexts = new StopTexts([...stopsOf(members), ...(grammar === null ? prompt.stopTexts : [])]);
    const options = {
      ...evaluateOptions(members, generated),
      ...(grammar === null ? {} : { grammarEvaluationState: await grammarState(this.#model, grammar) }),
      yieldEogToken: true,
    };
    const pass = async (piece: string) => {
      if (piece !== '') await onText(piece);
    };
    for await (const token of sequence.evaluate(prompt.tokens.slice(-1), options)) {
      signal.throwIfAborted();
      firstTokenAt ??= performance.now();
      if (this.#model.isEogToken(token) || prompt.stopTokens.has(token)) {
        const last = stopTexts.add(text.rest());
        await pass(last + stopTexts.rest());
        return end('stop', generated.length);
      }
      generated.push(token);
      await pass(stopTexts.add(text.add(token)));
      if (stopTexts.isStopped) return end('stop', generated.length);
      if (generated.length >= limit) break;
    }
    const last = stopTexts.add(text.rest());
    await pass(last + stopTexts.rest());
    return end(stopTexts.isStopped ? 'stop' : 'length', generated.length);
  }
}

/**
 * Computes all tokens of a prompt but the last, which generation begins with.
 * @returns the number of tokens that the sequence still had
 */
async function readPrompt(sequence: LlamaContextSequence, tokens: readonly Token[], signal: AbortSignal) {
  const wanted = tokens.slice(0, -1);
  if (wanted.length === 0) await sequence.clearHistory();
  else await sequence.adaptStateToTokens(wanted, false);
  const cached = sequence.nextTokenIndex;
  const step = sequence.model.gpuLayers > 0 ? PROMPT_STEP_ON_CARD : PROMPT_STEP;
  for (let at = cached; at < wanted.length; at += step) {
    signal.throwIfAborted();
    await sequence.evaluateWithoutGeneratingNewTokens(wanted.slice(at, at + step));
  }
  signal.throwIfAborted();
  return cached;
}

async function grammarState(model: LlamaModel, grammar: LlamaGrammar) {
  const { LlamaGrammarEvaluationState } = await import('node-llama-cpp');
  return new LlamaGrammarEvaluationState({ model, grammar });
}
