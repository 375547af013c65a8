/**
 * `node token-server.ts <socket>`: a model server that answers from memory, on a Unix socket and on a port. Prints its
 * address when it listens. `/answer` is whole, `/stream` sends 100 tokens a second until its reader is gone, each stream
 * on its own. A late timer sends all tokens that are due.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

const TOKENS_PER_SECOND = 100;
const EVERY_MS = 1_000 / TOKENS_PER_SECOND;

const answer = JSON.stringify({
  object: 'chat.completion',
  choices: [
    { index: 0, message: { role: 'assistant', content: 'A short answer. '.repeat(20) }, finish_reason: 'stop' },
  ],
  usage: { prompt_tokens: 10, completion_tokens: 80, total_tokens: 90 },
});
const event = `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: ' token' } }] })}\n\n`;

const streams = new Set<{ readonly response: ServerResponse; readonly startMs: number; sent: number }>();

function respond({ url }: IncomingMessage, response: ServerResponse): void {
  if (url !== '/stream') {
    response.setHeader('Content-Type', 'application/json').end(answer);
    return;
  }
  const stream = { response, startMs: performance.now(), sent: 1 };
  streams.add(stream);
  response.on('close', () => streams.delete(stream));
  response.setHeader('Content-Type', 'text/event-stream').write(event);
}

setInterval(() => {
  const nowMs = performance.now();
  for (const stream of streams) {
    const due = Math.floor((nowMs - stream.startMs) / EVERY_MS) + 1 - stream.sent;
    if (due <= 0 || stream.response.writableNeedDrain) continue;
    stream.sent += due;
    stream.response.write(event.repeat(due));
  }
}, EVERY_MS);

const backlog = 4_096;
createServer(respond).listen({ path: process.argv[2], backlog }, () => {
  const server = createServer(respond).listen({ port: 0, host: '127.0.0.1', backlog }, () => {
    console.log(`http://127.0.0.1:${(server.address() as { port: number }).port}`);
  });
});
