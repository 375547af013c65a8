/**
 * A program that serves a model for tests: `held-answers.ts <socket>`. It answers each request after the milliseconds of its
 * member `hold_ms` with its process and its variable `LLAMA_VERSION`, and `/health` at once. With `stream` it answers in eight
 * events, each after that time. SIGTERM ends it, as a model server that does not wait for its answers.
 */
import { createServer, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const [socketPath] = process.argv.slice(2);
const version = process.env['LLAMA_VERSION'] ?? null;

const EVENTS = 8;

async function streamed(response: ServerResponse, holdMs: number): Promise<void> {
  response.setHeader('content-type', 'text/event-stream');
  for (let event = 0; event < EVENTS; event++) {
    await sleep(holdMs);
    response.write(`data: ${JSON.stringify({ pid: process.pid })}\n\n`);
  }
  response.end('data: [DONE]\n\n');
}

createServer((request, response) => {
  const answer = (body: object) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  if (request.method === 'GET') return void answer({ status: 'ok' });
  void json(request).then(async (body) => {
    const { hold_ms = 0, stream = false } = body as { hold_ms?: number; stream?: boolean };
    if (stream) return streamed(response, hold_ms);
    await sleep(hold_ms);
    answer({ pid: process.pid, version });
  });
}).listen(socketPath);
