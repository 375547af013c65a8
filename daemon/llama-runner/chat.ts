import * as z from 'zod';
import type { ChatMessage } from './chat-prompts.ts';
import { type ReplyShape, type ReplyTo, reply } from './generation-reply.ts';
import { generationMembers } from './generation-request.ts';
import type { Generator } from './generator.ts';
import { refuseUnsupported } from './unsupported.ts';

const onlyText = 'The built-in runtime takes text only, no images and no sound.';
const part = z.object({ type: z.literal('text', onlyText), text: z.string() });
const content = z.union([z.string(), z.array(part)], {
  error: (issue) => (Array.isArray(issue.input) ? onlyText : 'expected a text or a list of text parts'),
});

const message = z.discriminatedUnion(
  'role',
  [
    z.object({ role: z.enum(['system', 'developer', 'user']), content }),
    z.object({
      role: z.literal('assistant'),
      content: content.nullish(),
      tool_calls: z.array(z.unknown()).max(0, 'Tools cannot be had from the built-in runtime.').nullish(),
    }),
  ],
  { error: 'expected one of the roles system, developer, user and assistant; the built-in runtime has no tools' },
);

/** The body of POST /v1/chat/completions. Other members are ignored. */
export const ChatRequest = z
  .looseObject({
    ...generationMembers,
    messages: z.array(message).min(1),
    max_completion_tokens: z.int().min(1).nullish(),
  })
  .superRefine(refuseUnsupported);
export type ChatRequest = z.infer<typeof ChatRequest>;

function messagesOf({ messages }: ChatRequest): ChatMessage[] {
  return messages.map((item) => ({
    role: item.role === 'developer' ? 'system' : item.role,
    content: typeof item.content === 'string' ? item.content : (item.content ?? []).map(({ text }) => text).join('\n'),
  }));
}

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
  const prompt = generator.chatPrompt(messagesOf(body));
  const maxTokens = body.max_completion_tokens ?? body.max_tokens ?? null;
  await reply(generator, { prompt, maxTokens, body }, shape, to);
}
