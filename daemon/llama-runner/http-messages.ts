import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type * as z from 'zod';
import { ApiError } from './api-error.ts';

const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** Reads and parses a JSON body. @throws ApiError 400, 413 */
export async function readBody<Schema extends z.ZodType>(
  request: IncomingMessage,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const parsed = schema.safeParse(parseJson(await readText(request)));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const param = issue?.path.join('.') ?? '';
  const code = issue?.code === 'custom' && issue.params?.['code'];
  throw new ApiError(400, param ? `${param}: ${issue?.message}` : (issue?.message ?? 'invalid body'), {
    ...(param ? { param } : {}),
    ...(typeof code === 'string' ? { code } : {}),
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError(400, 'The body is not valid JSON.');
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const tooLarge = new ApiError(413, `The body is larger than ${MAX_BODY_BYTES / 1024 / 1024} MB.`);
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw tooLarge;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) throw tooLarge;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** A reader that takes nothing for this long loses its stream, since it holds one of few places. */
const STALLED_MS = 60_000;

/** Server-sent events, paced by the reader. */
export class EventStream {
  readonly #response: ServerResponse;

  /** Sends the head. */
  constructor(response: ServerResponse) {
    this.#response = response;
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    });
  }

  /** Waits while the reader is behind. @throws AbortError when the signal aborts, an error when the reader stalls */
  async send(data: unknown, signal: AbortSignal): Promise<void> {
    const isTaken = this.#response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
    if (isTaken) return;
    const either = AbortSignal.any([signal, AbortSignal.timeout(STALLED_MS)]);
    await once(this.#response, 'drain', { signal: either });
  }

  /** Marks the end as OpenAI does. */
  async end(signal: AbortSignal): Promise<void> {
    await this.send('[DONE]', signal);
    this.#response.end();
  }
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length });
  response.end(bytes);
}
