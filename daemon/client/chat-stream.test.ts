import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { type ChatEnd, chatStream } from './chat-stream.ts';

async function modelServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const streaming = (...chunks: readonly string[]) =>
  modelServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    for (const chunk of chunks) response.write(chunk);
    response.end();
  });
const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const delta = (content: string, finish_reason: string | null = null) =>
  event({ choices: [{ delta: { content }, finish_reason }] });

const question = { model: 'tiny', messages: [{ role: 'user', content: 'Hello' }] } as const;
const never = new AbortController().signal;

/** An answer as `answer` text, `(reasoning)` and its end. */
async function answerOf(url: string, signal = never): Promise<{ pieces: string[]; end: ChatEnd }> {
  const answer = chatStream({ ...question, url }, { signal });
  const pieces: string[] = [];
  for (;;) {
    const { value, done } = await answer.next();
    if (done) return { pieces, end: value };
    pieces.push(value.kind === 'answer' ? value.text : `(${value.text})`);
  }
}

test('a question is sent as a chat that streams', async () => {
  let asked: { request: IncomingMessage; body: unknown } | null = null;
  const url = await modelServer((request, response) => {
    void text(request).then((body) => {
      asked = { request, body: JSON.parse(body) };
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(delta('Hi', 'stop'));
    });
  });
  const answer = chatStream({ ...question, url, temperature: 0, maxTokens: 8 }, { signal: never });
  for await (const _ of answer);
  expect(asked).toMatchObject({
    request: { method: 'POST', url: '/v1/chat/completions' },
    body: { ...question, stream: true, stream_options: { include_usage: true }, temperature: 0, max_tokens: 8 },
  });
});

test('an answer comes in pieces, cut anywhere, and ends with its tokens', async () => {
  const stream = [
    ': a comment\n\n',
    event({ choices: [{ delta: { role: 'assistant', content: null, reasoning_content: 'Hm' } }] }),
    delta('Gr'),
    delta('üße', 'stop'),
    event({ choices: [], usage: { prompt_tokens: 12, completion_tokens: 3 } }),
    'data: [DONE]\n\n',
    delta('no longer read'),
  ].join('');
  const bytes = Buffer.from(stream);
  const url = await modelServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let at = 0; at < bytes.length; at += 7) response.write(bytes.subarray(at, at + 7));
    response.end();
  });
  expect(await answerOf(url)).toEqual({
    pieces: ['(Hm)', 'Gr', 'üße'],
    end: { finishReason: 'stop', tokens: { prompt: 12, answer: 3 } },
  });
});

test('a server that does not stream answers whole', async () => {
  const url = await modelServer((_request, response) => {
    const choices = [{ message: { role: 'assistant', content: 'Hello' }, finish_reason: 'length' }];
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ choices }));
  });
  expect(await answerOf(url)).toEqual({ pieces: ['Hello'], end: { finishReason: 'length', tokens: null } });
});

test.each([
  { says: { error: 'There is no endpoint "lab/x".' }, why: 'There is no endpoint "lab/x".' },
  { says: { error: { message: 'The context is full.', code: 400 } }, why: 'The context is full.' },
  { says: { message: 'Unauthorized' }, why: 'Unauthorized' },
  {
    says: {
      error: {
        ...{ code: 400, type: 'exceed_context_size_error', n_prompt_tokens: 1532, n_ctx: 512 },
        message: 'request (1532 tokens) exceeds the available context size (512 tokens), try increasing it',
      },
    },
    why: 'The request has 1532 tokens, and the context has room for 512 tokens. Shorten it, or give the endpoint a larger context.',
  },
  { says: { error: { message: { text: 'deep' } } }, why: 'The endpoint refused this without a reason (503).' },
  { says: 'oops', why: 'The endpoint refused this without a reason (503).' },
])('a refusal says $why', async ({ says, why }) => {
  const url = await modelServer((_request, response) => response.writeHead(503).end(JSON.stringify(says)));
  await expect(answerOf(url)).rejects.toMatchObject({ name: 'ModelServerError', status: 503, message: why });
});

test('an error in the middle, an early end and a lost connection are distinguished from an answer', async () => {
  const full = await streaming(delta('One'), event({ error: { message: 'The context is full.' } }));
  await expect(answerOf(full)).rejects.toThrow('The context is full.');
  await expect(answerOf(await streaming(delta('One')))).rejects.toThrow('The answer broke off.');
  await expect(answerOf(await streaming('data: {"choices": \n\n'))).rejects.toThrow('something else than the answer');
  await expect(answerOf(await streaming('data: 7\n\n'))).rejects.toThrow('something else than the answer');
  const lost = await modelServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(delta('One'), () => response.destroy());
  });
  await expect(answerOf(lost)).rejects.toThrow('The answer broke off.');
  await expect(answerOf('http://127.0.0.1:9')).rejects.toThrow('The endpoint did not answer.');
});

test('an event without end is given up instead of collected', async () => {
  const url = await modelServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const write = () => void (response.writable && response.write('data: '.padEnd(64 * 1024, 'x'), write));
    write();
  });
  await expect(answerOf(url)).rejects.toThrow('The answer broke off.');
});

test('an aborted question ends with the reason of the abort, and the server notices', async () => {
  const stop = new AbortController();
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const url = await modelServer((_request, response) => {
    response.on('close', resolve);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(delta('One'), () => stop.abort(new Error('stopped')));
  });
  await expect(answerOf(url, stop.signal)).rejects.toThrow('stopped');
  await closed;
});

test('a reader that stops ends the request', async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const url = await modelServer((_request, response) => {
    response.on('close', resolve);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(delta('One'));
  });
  for await (const _ of chatStream({ ...question, url }, { signal: never })) break;
  await closed;
});
