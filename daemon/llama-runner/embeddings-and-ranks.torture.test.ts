import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunnerUnderTest, startRunner } from '../testing/models/start-runner.ts';

let embedder: RunnerUnderTest;
let reranker: RunnerUnderTest;
beforeAll(async () => {
  [embedder, reranker] = await Promise.all([
    startRunner({ mode: 'embeddings', ctxSize: 256 }),
    startRunner({ mode: 'reranking', ctxSize: 256 }, { isReranker: true }),
  ]);
  await Promise.all([embedder.healthy(), reranker.healthy()]);
});
afterAll(() => Promise.all([embedder, reranker].map((each) => each[Symbol.asyncDispose]())));

const embed = (body: object) => embedder.post('/v1/embeddings', body);

test('a text has an embedding of length 1, in numbers or in base64', async () => {
  const { status, body } = await embed({ input: 'hello', model: 'any' });
  expect({ status, body: { ...body, data: null } }).toEqual({
    status: 200,
    body: { object: 'list', model: 'owner/tiny', data: null, usage: { prompt_tokens: 9, total_tokens: 9 } },
  });
  const [{ embedding }] = body.data;
  expect(embedding).toHaveLength(64);
  expect(Math.hypot(...embedding)).toBeCloseTo(1);
  const encoded = (await embed({ input: 'hello', encoding_format: 'base64' })).body.data[0].embedding;
  const bytes = Buffer.from(encoded, 'base64');
  const decoded = Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
  expect(decoded).toEqual(embedding.map(Math.fround));
});

test('several texts or lists of tokens have one each, in their order', async () => {
  const data = async (input: unknown) => (await embed({ input })).body.data;
  const [one, two] = await data(['one', 'two']);
  expect([one.index, two.index]).toEqual([0, 1]);
  expect(one.embedding).not.toEqual(two.embedding);
  expect((await data('two'))[0].embedding).toEqual(two.embedding);
  expect((await data([70, 71]))[0].embedding).toEqual((await data([[70, 71]]))[0].embedding);
});

test.each([
  [{}, 'input', 'expected a text'],
  [{ input: '' }, 'input', ''],
  [{ input: [] }, 'input', 'expected a text'],
  [{ input: [[1], []] }, 'input.1', '>=1'],
  [{ input: [5_000] }, 'input', 'below 259'],
  [{ input: 'a', encoding_format: 'hex' }, 'encoding_format', 'expected one of'],
  [{ input: 'a', dimensions: 8 }, 'dimensions', 'another length'],
  [{ input: 'a'.repeat(300) }, null, 'has room for 255'],
])('the embedding of %j is refused', async (body, param, message) => {
  expect(await embed(body)).toMatchObject({
    status: 400,
    body: { error: { param, message: expect.stringContaining(message) } },
  });
});

test('how tokens are pooled is the file’s choice, else mean, unless another way is wanted', async () => {
  const vectorOf = async (options: object, model: object = {}) => {
    await using runner = await startRunner({ mode: 'embeddings', ctxSize: 256, ...options }, model);
    await runner.healthy();
    return (await runner.post('/v1/embeddings', { input: 'hello' })).body.data[0].embedding;
  };
  const mean = (await embed({ input: 'hello' })).body.data[0].embedding;
  const [first, wanted] = await Promise.all([vectorOf({}, { poolingType: 2 }), vectorOf({ pooling: 'cls' })]);
  expect(first).toEqual(wanted);
  expect(first).not.toEqual(mean);
});

test('documents are ranked by their score', async () => {
  const body = { query: 'red', documents: ['a rose', { text: 'the sea' }, 'sand'], return_documents: true };
  const { status, body: reply } = await reranker.post('/v1/rerank', body);
  expect(status).toBe(200);
  const scores = reply.results.map((result: { relevance_score: number }) => result.relevance_score);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  expect(scores.every((score: number) => score > 0 && score < 1)).toBe(true);
  expect(new Set(reply.results.map((result: { index: number }) => result.index))).toEqual(new Set([0, 1, 2]));
  const best = reply.results[0];
  expect((await reranker.post('/v1/rerank', { ...body, top_n: 1 })).body.results).toEqual([best]);
});

test('a reranker serves nothing else, and refuses what it cannot rank', async () => {
  expect(await reranker.post('/v1/chat/completions', { messages: [] })).toMatchObject({ status: 501 });
  expect(await reranker.post('/v1/rerank', { query: 'a', documents: [] })).toMatchObject({ status: 400 });
  expect(await reranker.post('/v1/rerank', { query: 'a'.repeat(300), documents: ['b'] })).toMatchObject({
    body: { error: { code: 'context_length_exceeded' } },
  });
});
