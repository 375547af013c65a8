import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { httpModelServer, type ModelServer } from './model-server.ts';

export interface ChatStandin extends ModelServer {
  /** The bodies of the requests so far, and their paths. */
  readonly requests: { readonly path: string; readonly body: Readonly<Record<string, unknown>> }[];
  /** The pieces of the next answers, and the pause before each. */
  answer: { pieces: readonly string[]; pauseMs: number };
  /** The size of the context in characters, which are its tokens. */
  context: number;
}

/** The answers of a new stand-in. */
export const usualAnswer: ChatStandin['answer'] = { pieces: ['Hello', ' from', ' the', ' model.'], pauseMs: 0 };

/** A model server for tests that answers at once, as long as the test wants. Each character is a token. */
export async function startChatStandin(): Promise<ChatStandin> {
  const standin: Pick<ChatStandin, 'requests' | 'answer' | 'context'> = {
    requests: [],
    answer: usualAnswer,
    context: 4_096,
  };
  const server = await httpModelServer(async (request, response) => {
    const path = request.url ?? '';
    if (path === '/health') return json(response, 200, { status: 'ok' });
    if (path === '/v1/models') return json(response, 200, { data: [{ id: 'm', meta: { n_ctx: standin.context } }] });
    const body = await bodyOf(request);
    standin.requests.push({ path, body });
    if (path === '/v1/chat/completions') return chat(response, body, standin);
    if (path === '/v1/embeddings') return json(response, 200, { data: embeddings(body['input'] as readonly string[]) });
    if (path === '/v1/rerank') {
      const results = (body['documents'] as readonly string[]).map((_, index) => ({
        index,
        relevance_score: index / 10,
      }));
      return json(response, 200, { results });
    }
    return json(response, 404, { error: { message: `There is no ${path}.` } });
  });
  return Object.assign(standin, server);
}

async function chat(
  response: ServerResponse,
  { messages }: Readonly<Record<string, unknown>>,
  { answer, context }: Pick<ChatStandin, 'answer' | 'context'>,
): Promise<void> {
  const prompt = (messages as readonly { content: string }[]).reduce((sum, { content }) => sum + content.length, 0);
  if (prompt > context) {
    const message = `The request has ${prompt} tokens, and the context has room for ${context} tokens.`;
    return json(response, 400, { error: { message } });
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const content of answer.pieces) {
    if (answer.pauseMs > 0) await sleep(answer.pauseMs);
    if (response.destroyed) return;
    response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
  }
  const usage = { prompt_tokens: prompt, completion_tokens: answer.pieces.length };
  response.end(
    `data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: 'stop' }], usage })}\n\ndata: [DONE]\n\n`,
  );
}

/** Texts that begin alike are alike. */
const embeddings = (input: readonly string[]) =>
  input.map((text, index) => ({ index, embedding: [text.charCodeAt(0), 100, 1] }));

async function bodyOf(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const read = await text(request);
  return read === '' ? {} : (JSON.parse(read) as Record<string, unknown>);
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
