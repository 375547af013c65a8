import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { ApiError, refuseEndless, wrongMode } from './api-error.ts';
import { readBody, sendJson } from './http-messages.ts';

const Body = z.object({
  prompt: z.string(),
  options: z.object({ seed: z.int() }).optional(),
  n: z
    .number()
    .refine((n) => n === 1, { error: 'only 1 is served', params: { code: 'unsupported_value' } })
    .optional(),
});

/** Answers with the parsed body, or with the refusal. */
const echo: RequestListener = (request, response) => {
  readBody(request, Body).then(
    (body) => sendJson(response, 200, body),
    (error: unknown) => (error instanceof ApiError ? sendJson(response, error.status, error.body) : response.destroy()),
  );
};

async function post(body: string | ReadableStream) {
  const server = createServer(echo).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const reply = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, duplex: 'half' } as RequestInit);
    return { status: reply.status, body: await reply.json() };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
const refusal = (message: string, more: object = {}) => ({
  error: { message, type: 'invalid_request_error', param: null, code: null, ...more },
});

test('a valid body is parsed, also where a character is cut between two chunks', async () => {
  const bytes = Buffer.from(JSON.stringify({ prompt: 'grün' }));
  const cut = bytes.indexOf(0xc3) + 1;
  const chunks = ReadableStream.from([bytes.subarray(0, cut), bytes.subarray(cut)]);
  expect(await post(chunks)).toEqual({ status: 200, body: { prompt: 'grün' } });
});

test.each([
  ['{"prompt":', refusal('The body is not valid JSON.')],
  ['', refusal('The body is not valid JSON.')],
  ['{"prompt":1}', { error: expect.objectContaining({ param: 'prompt', code: null }) }],
  ['{"prompt":"a","options":{"seed":"x"}}', { error: expect.objectContaining({ param: 'options.seed' }) }],
  ['{"prompt":"a","n":2}', refusal('n: only 1 is served', { param: 'n', code: 'unsupported_value' })],
  ['[]', { error: expect.objectContaining({ param: null, type: 'invalid_request_error' }) }],
])('the body %s is refused with the member at fault', async (body, expected) => {
  expect(await post(body)).toEqual({ status: 400, body: expected });
});

test('a text that is longer than any context of that length is refused before it is made into tokens', () => {
  const refused = (message: string) =>
    expect.objectContaining({ status: 400, message, details: { code: 'context_length_exceeded' } });
  const few = () => 1;
  expect(() => refuseEndless(['a'.repeat(2 * 256)], 2, few)).not.toThrow();
  expect(() => refuseEndless(['a'.repeat(2 * 256), 'a'], 2, few)).toThrow(
    refused(
      'The request has 513 characters, and the context has room for 2 tokens. Shorten it, or give the endpoint a larger context.',
    ),
  );
});

test('texts that are longer together than the context are refused once so many tokens are counted', () => {
  const counted: number[] = [];
  const letters = (text: string) => {
    counted.push(text.length);
    return text.length;
  };
  const texts = ['a'.repeat(100_000), 'a'.repeat(1_000_000)];
  expect(() => refuseEndless(texts, 110_000, letters)).toThrow(/^The request has 11\d{4} tokens or more,/);
  expect(counted).toEqual([...Array(6).fill(16_384), 100_000 - 6 * 16_384, 16_384]);
  counted.length = 0;
  refuseEndless(texts, 137_500, letters); // eight characters for each token of the context: they are not counted here
  expect(counted).toEqual([]);
  refuseEndless(['a'.repeat(1_000)], 120, () => 100);
});

test('a refusal says by its type whose fault it is', () => {
  const typeOf = (error: ApiError) => error.body.error.type;
  expect(typeOf(new ApiError(413, 'x'))).toBe('invalid_request_error');
  expect(typeOf(new ApiError(500, 'x'))).toBe('server_error');
  expect(typeOf(new ApiError(503, 'x'))).toBe('server_error');
  expect(wrongMode('chat', 'embedding').body).toEqual({
    error: {
      message: 'This endpoint does not serve chat: its mode is embedding.',
      type: 'not_supported_error',
      param: null,
      code: 'unsupported_mode',
    },
  });
});
