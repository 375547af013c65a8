import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Prompt } from './chat-prompts.ts';
import type { GenerationMembers } from './generation-request.ts';
import type { Generation, Generator } from './generator.ts';
import { EventStream, sendJson } from './http-messages.ts';
import { grammarFor } from './json-grammar.ts';

/** The differences between the replies of chats and of completions. */
export interface ReplyShape {
  readonly idPrefix: string;
  readonly object: string;
  readonly chunkObject: string;
  /** The members of the one choice. */
  readonly whole: (text: string) => object;
  readonly piece: (text: string) => object;
  /** Sent before the first piece; null: nothing. */
  readonly opening: object | null;
  /** In the last piece. */
  readonly closing: object;
}

export interface ReplyTo {
  readonly response: ServerResponse;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
  /** The model's name. */
  readonly model: string;
}

/**
 * Generates, and answers at once or as a stream.
 * @param maxTokens null: until the model ends or the context is full
 */
export async function reply(
  generator: Generator,
  { prompt, maxTokens, body }: { prompt: Prompt; maxTokens: number | null; body: GenerationMembers },
  shape: ReplyShape,
  { response, signal, model }: ReplyTo,
): Promise<void> {
  const grammar = await grammarFor(generator.llama, body.response_format ?? null);
  const request = { prompt, maxTokens, members: body, grammar };
  const head = { id: `${shape.idPrefix}-${randomUUID()}`, created: Math.floor(Date.now() / 1_000), model };
  const choice = (members: object, finishReason: string | null = null) => {
    return { index: 0, ...members, logprobs: null, finish_reason: finishReason };
  };
  if (!body.stream) {
    const pieces: string[] = [];
    const generation = await generator.generate(request, async (piece) => void pieces.push(piece), signal);
    const choices = [choice(shape.whole(pieces.join('')), generation.finishReason)];
    const numbers = { usage: usageOf(generation), timings: timingsOf(generation) };
    return sendJson(response, 200, { ...head, object: shape.object, choices, ...numbers });
  }
  const usage = body.stream_options?.include_usage ? { usage: null } : {};
  const chunk = (choices: object[], more: object = {}) => {
    return { ...head, object: shape.chunkObject, choices, ...usage, ...more };
  };
  let stream: EventStream | null = null;
  const open = async () => {
    stream = new EventStream(response);
    if (shape.opening !== null) await stream.send(chunk([choice(shape.opening)]), signal);
    return stream;
  };
  const send = async (piece: string) => (stream ?? (await open())).send(chunk([choice(shape.piece(piece))]), signal);
  const generation = await generator.generate(request, send, signal);
  const last = stream ?? (await open());
  await last.send(chunk([choice(shape.closing, generation.finishReason)], { timings: timingsOf(generation) }), signal);
  if (body.stream_options?.include_usage) await last.send(chunk([], { usage: usageOf(generation) }), signal);
  await last.end(signal);
}

/** The counts of a generation, as OpenAI has them. */
function usageOf({ promptTokens, cachedTokens, completionTokens }: Generation) {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens },
  };
}

/** The times of a generation, as llama.cpp's own server has them. */
function timingsOf(generation: Generation) {
  const { promptTokens, cachedTokens, completionTokens, promptMs, completionMs } = generation;
  const computed = promptTokens - cachedTokens;
  return {
    cache_n: cachedTokens,
    prompt_n: computed,
    prompt_ms: promptMs,
    prompt_per_second: perSecond(computed, promptMs),
    predicted_n: completionTokens,
    predicted_ms: completionMs,
    predicted_per_second: perSecond(completionTokens, completionMs),
  };
}

function perSecond(count: number, ms: number): number {
  return ms > 0 ? (count / ms) * 1_000 : 0;
}
