import { expect, test } from 'vitest';
import { MAX_BODY, type RawReply, sendRequest } from './model-request.ts';
import { continuationOf, cosine, rankingOf, similarityOf } from './replies.ts';

const reply = (body: unknown, status = 200): RawReply => ({
  ...{ status, statusText: '', headers: [], tookMs: 5, text: JSON.stringify(body), isCut: false },
});
const never = new AbortController().signal;

test('two texts are as similar as their vectors', () => {
  const data = [
    { index: 1, embedding: [0, 2] },
    { index: 0, embedding: [2, 2] },
  ];
  const { cosine: similar, dimensions } = similarityOf(reply({ data }));
  expect([similar.toFixed(3), dimensions]).toEqual(['0.707', 2]);
  expect(cosine([0, 0], [1, 1])).toBe(0);
});

test('a ranking has the most relevant first', () => {
  const results = [
    { index: 0, relevance_score: -3 },
    { index: 2, score: 0.5 },
    { index: 'x', score: 1 },
  ];
  expect(rankingOf(reply({ results }))).toEqual([
    { index: 2, score: 0.5 },
    { index: 0, score: -3 },
  ]);
});

test('a continuation is the text of the first choice, also an empty one', () => {
  expect(continuationOf(reply({ choices: [{ text: '' }, { text: 'b' }] }))).toBe('');
  for (const body of [{ choices: [] }, { choices: [null] }, { choices: [{ message: {} }] }]) {
    expect(() => continuationOf(reply(body))).toThrow('The endpoint answered with something else than a text.');
  }
});

test.each([
  [{ data: [] }, 200, 'The endpoint answered with something else than two embeddings.'],
  [{ data: [{ embedding: [1] }, { embedding: [1, 2] }] }, 200, /something else/],
  [{ error: { message: 'This endpoint does not serve embeddings.' } }, 501, /does not serve embeddings/],
  ['x', 200, 'The endpoint answered 200, and not as expected.'],
])('another reply than embeddings is reported: %j', (body, status, message) => {
  expect(() => similarityOf(reply(body, status))).toThrow(message);
});

test('the beginning of a long reply is read, and the rest is left', async () => {
  let pulled = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled += 1;
      controller.enqueue(new TextEncoder().encode('é'.repeat(32 * 1024)));
    },
  });
  const read = await sendRequest({ url: '/x', method: 'GET', body: null }, never, async () => new Response(body));
  expect([read.text.length, read.isCut]).toEqual([MAX_BODY, true]);
  expect(pulled).toBeLessThan(20);
  const failing = sendRequest({ url: '/x', method: 'GET', body: null }, never, () => Promise.reject(new TypeError()));
  await expect(failing).rejects.toThrow('The endpoint did not answer, or its answer broke off.');
});
