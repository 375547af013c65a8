import type { Generator } from '../model/generator.ts';
import { type ChatRequest, messagesOf } from './chat-request.ts';
import { type ReplyShape, type ReplyTo, reply } from './generation-reply.ts';
import { samplingOf, stopsOf } from './generation-request.ts';
import { grammarFor } from './json-grammar.ts';

const shape: ReplyShape = {
  idPrefix: 'chatcmpl',
  object: 'chat.completion',
  chunkObject: 'chat.completion.chunk',
  whole: (content) => ({ message: { role: 'assistant', content, refusal: null } }),
  piece: (content) => ({ delta: { content } }),
  opening: { delta: { role: 'assistant', content: '' } },
  closing: { delta: {} },
};

/** Answers POST /v1/chat/completions. */
export async function chat(generator: Generator, body: ChatRequest, to: ReplyTo): Promise<void> {
  const request = {
    prompt: generator.chatPrompt(messagesOf(body)),
    maxTokens: body.max_completion_tokens ?? body.max_tokens ?? null,
    stops: stopsOf(body),
    sampling: samplingOf(body),
    grammar: await grammarFor(generator.llama, body.response_format ?? null),
  };
  await reply(generator, request, body, shape, to);
}
