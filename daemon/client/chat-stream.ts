import { EventSourceParserStream } from 'eventsource-parser/stream';
import { refusalText } from './refusal-text.ts';

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

interface ChatQuestion {
  /** The address of the endpoint, without `/v1`. */
  readonly url: string;
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  /** Default: that of the model server. */
  readonly temperature?: number | undefined;
  /** The most tokens of the answer; default: that of the model server. */
  readonly maxTokens?: number | undefined;
}

interface ChatOptions {
  readonly signal: AbortSignal;
  /** Default: that of the page, with its cookie. */
  readonly send?: typeof fetch;
}

/** A piece of an answer. `reasoning`: what a model thinks before it answers. */
export interface ChatPiece {
  readonly kind: 'answer' | 'reasoning';
  readonly text: string;
}

export interface ChatEnd {
  /** `stop`, `length` where the answer was cut off, or another word of the model server; null: it named none. */
  readonly finishReason: string | null;
  /** null: the model server did not count. */
  readonly tokens: { readonly prompt: number; readonly answer: number } | null;
}

/** An endpoint refused a request, or its answer broke off; the message is a sentence for a person. */
export class ModelServerError extends Error {
  /** The HTTP status; null: no reply, or the answer broke off. */
  readonly status: number | null;

  constructor(status: number | null, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ModelServerError';
    this.status = status;
  }
}

/** The longest event of a stream. One event holds a few tokens. */
const MAX_EVENT_CHARACTERS = 1024 ** 2;

/** The body of the request for a chat that is streamed. */
export function chatBody({ model, messages, temperature, maxTokens }: Omit<ChatQuestion, 'url'>) {
  return {
    model,
    messages,
    stream: true,
    stream_options: { include_usage: true },
    temperature,
    max_tokens: maxTokens,
  };
}

/**
 * Asks a model that answers in OpenAI's format, and yields its answer piece by piece. A server that does not stream
 * yields its answer whole.
 * @throws ModelServerError; the signal's reason when it is aborted
 */
export async function* chatStream(
  question: ChatQuestion,
  { signal, send = (input, init) => globalThis.fetch(input, init) }: ChatOptions,
): AsyncGenerator<ChatPiece, ChatEnd> {
  let failure = NO_REPLY;
  try {
    const response = await send(`${question.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(chatBody(question)),
      signal,
    });
    if (!response.ok) throw await refusalOf(response);
    failure = BROKE_OFF;
    return yield* response.headers.get('content-type')?.includes('text/event-stream')
      ? streamed(response)
      : whole(response);
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof ModelServerError ? error : new ModelServerError(null, failure, error);
  }
}

const NO_REPLY = 'The endpoint did not answer. The daemon may have been stopped.';
const BROKE_OFF = 'The answer broke off. The endpoint may have been stopped; its page says why.';
const NO_ANSWER = 'The endpoint sent something else than the answer of a chat. Its model may not be one for chats.';

/** The members of an answer that are read; a model server may leave out each of them. */
interface Reply {
  readonly error?: unknown;
  readonly choices?: readonly {
    readonly delta?: Message | null;
    readonly message?: Message | null;
    readonly finish_reason?: string | null;
  }[];
  readonly usage?: { readonly prompt_tokens?: number; readonly completion_tokens?: number } | null;
}
interface Message {
  readonly content?: string | null;
  readonly reasoning_content?: string | null;
  readonly reasoning?: string | null;
}

async function* streamed(response: Response): AsyncGenerator<ChatPiece, ChatEnd> {
  const events = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>)
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream({ maxBufferSize: MAX_EVENT_CHARACTERS }));
  const reader = events.getReader();
  let end: ChatEnd = { finishReason: null, tokens: null };
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done || value.data === '[DONE]') break;
      const reply = parsed(value.data);
      yield* piecesOf(reply);
      end = endAfter(end, reply);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
  // A model server closes the connection without an error when it crashes.
  if (end.finishReason === null && end.tokens === null) throw new ModelServerError(null, BROKE_OFF);
  return end;
}

async function* whole(response: Response): AsyncGenerator<ChatPiece, ChatEnd> {
  const reply = parsed(await response.text());
  if (!reply.choices?.[0]?.message) throw new ModelServerError(response.status, NO_ANSWER);
  yield* piecesOf(reply);
  return endAfter({ finishReason: null, tokens: null }, reply);
}

function* piecesOf({ choices }: Reply): Generator<ChatPiece> {
  const message = choices?.[0]?.delta ?? choices?.[0]?.message;
  const reasoning = message?.reasoning_content ?? message?.reasoning;
  if (reasoning) yield { kind: 'reasoning', text: reasoning };
  if (message?.content) yield { kind: 'answer', text: message.content };
}

function endAfter({ finishReason, tokens }: ChatEnd, { choices, usage }: Reply): ChatEnd {
  return {
    finishReason: choices?.[0]?.finish_reason ?? finishReason,
    tokens: usage ? { prompt: usage.prompt_tokens ?? 0, answer: usage.completion_tokens ?? 0 } : tokens,
  };
}

function parsed(text: string): Reply {
  let reply: Reply | null;
  try {
    reply = JSON.parse(text) as Reply | null;
  } catch (error) {
    throw new ModelServerError(null, NO_ANSWER, error);
  }
  if (typeof reply !== 'object' || reply === null) throw new ModelServerError(null, NO_ANSWER);
  if (reply.error) throw new ModelServerError(null, refusalText(reply.error) ?? BROKE_OFF);
  return reply;
}

async function refusalOf(response: Response): Promise<ModelServerError> {
  const body = (await response.json().catch(() => null)) as {
    readonly error?: unknown;
    readonly message?: unknown;
  } | null;
  const why = refusalText(body?.error) ?? refusalText(body?.message);
  return new ModelServerError(
    response.status,
    why ?? `The endpoint refused this without a reason (${response.status}).`,
  );
}
