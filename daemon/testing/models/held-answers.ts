/**
 * A program that serves a model for tests: `held-answers.ts <socket>`. It answers each request after the milliseconds of its
 * member `hold_ms` with its process and its variable `LLAMA_VERSION`, and `/health` at once. SIGTERM ends it, as a model
 * server that does not wait for its answers.
 */
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const [socketPath] = process.argv.slice(2);
const version = process.env['LLAMA_VERSION'] ?? null;

createServer((request, response) => {
  const answer = (body: object) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  if (request.method === 'GET') return void answer({ status: 'ok' });
  void json(request).then(async (body) => {
    await sleep((body as { hold_ms?: number }).hold_ms ?? 0);
    answer({ pid: process.pid, version });
  });
}).listen(socketPath);
