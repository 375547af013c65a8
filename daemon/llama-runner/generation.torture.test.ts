import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatHistoryItem } from 'node-llama-cpp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunnerUnderTest, startRunner } from '../testing/models/start-runner.ts';
import { type NamedTemplate, namedWrapper } from './chat-prompts.ts';

const CHAT = '/v1/chat/completions';
const TEXT = '/v1/completions';
const messages = [{ role: 'user', content: 'hi' }];
/** A name for any text in an expected value. */
const aText = expect.any(String);
const aNumber = expect.any(Number);

let runner: RunnerUnderTest;
beforeAll(async () => {
  runner = await startRunner({ ctxSize: 8_192, parallel: 2 }, { contextLength: 8_192 });
  await runner.healthy();
});
afterAll(() => runner[Symbol.asyncDispose]());

test('it names its model', async () => {
  const model = {
    id: 'owner/tiny',
    object: 'model',
    created: aNumber,
    owned_by: 'robot-desktop',
    meta: { n_ctx: 4_096 },
  };
  expect(await runner.get('/v1/models')).toEqual({ status: 200, body: { object: 'list', data: [model] } });
  expect(await runner.get('/v1/models/owner/tiny')).toEqual({ status: 200, body: model });
  expect(await runner.get('/v1/models/other')).toMatchObject({
    status: 404,
    body: { error: { code: 'model_not_found' } },
  });
});

test('a chat is answered whole, with counts and times', async () => {
  const parts = [
    { type: 'text', text: 'Be ' },
    { type: 'text', text: 'brief' },
  ];
  const body = {
    messages: [{ role: 'developer', content: parts }, ...messages],
    max_completion_tokens: 8,
    temperature: 0,
  };
  const reply = await runner.post(CHAT, body);
  expect(reply).toEqual({
    status: 200,
    body: {
      id: expect.stringMatching(/^chatcmpl-/),
      object: 'chat.completion',
      created: aNumber,
      model: 'owner/tiny',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: aText, refusal: null },
          logprobs: null,
          finish_reason: 'length',
        },
      ],
      usage: {
        prompt_tokens: aNumber,
        completion_tokens: 8,
        total_tokens: reply.body.usage.prompt_tokens + 8,
        prompt_tokens_details: { cached_tokens: aNumber },
      },
      timings: expect.objectContaining({ predicted_n: 8, predicted_per_second: aNumber }),
    },
  });
  // The system message is in the prompt, and the same request gives the same answer.
  expect(reply.body.usage.prompt_tokens).toBeGreaterThan(
    (await runner.post(CHAT, { messages, max_tokens: 1 })).body.usage.prompt_tokens,
  );
  const again = await runner.post(CHAT, body);
  expect(again.body.choices).toEqual(reply.body.choices);
  expect(again.body.usage.prompt_tokens_details.cached_tokens).toBeGreaterThan(0);
});

test('a streamed chat has the same text, ends with its reason, its usage and [DONE]', async () => {
  const body = { messages, max_tokens: 12, temperature: 0 };
  const whole = (await runner.post(CHAT, body)).body.choices[0].message.content;
  const events = await all(runner.stream(CHAT, { ...body, stream_options: { include_usage: true } }));
  expect(events.at(-1)).toBe('[DONE]');
  const chunks = events.slice(0, -1).map((event) => JSON.parse(event));
  expect(chunks[0].choices).toEqual([
    { index: 0, delta: { role: 'assistant', content: '' }, logprobs: null, finish_reason: null },
  ]);
  expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(whole);
  expect(chunks.at(-2)).toMatchObject({
    choices: [{ delta: {}, finish_reason: 'length' }],
    timings: { predicted_n: 12 },
  });
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 12 } });
});

test('a completion continues a text or tokens, up to a stop text, which it leaves out', async () => {
  const body = { prompt: 'hello', max_tokens: 40, temperature: 0 };
  const { choices } = (await runner.post(TEXT, body)).body;
  const stop = choices[0].text.slice(5, 8);
  const stopped = (await runner.post(TEXT, { ...body, stop: [stop] })).body.choices[0];
  expect(stopped).toMatchObject({
    text: choices[0].text.slice(0, choices[0].text.indexOf(stop)),
    finish_reason: 'stop',
  });
  const events = await all(runner.stream(TEXT, { ...body, stop }));
  const texts = events.slice(0, -1).map((event) => JSON.parse(event).choices[0].text);
  expect(texts.join('')).toBe(stopped.text);
  expect(await runner.post(TEXT, { prompt: [1, 70, 71], max_tokens: 2 })).toMatchObject({
    status: 200,
    body: { usage: { prompt_tokens: 3, completion_tokens: 2 } },
  });
});

test('the same seed gives the same answer, penalties and limits of choice are honoured', async () => {
  const answer = async (more: object) =>
    (await runner.post(TEXT, { prompt: 'seed', max_tokens: 16, temperature: 2, ...more })).body.choices[0].text;
  expect(await answer({ seed: 7 })).toBe(await answer({ seed: 7 }));
  expect(await answer({ seed: 7 })).not.toBe(await answer({ seed: 8 }));
  const greedy = await answer({ temperature: 0 });
  expect(await answer({ top_k: 1, seed: 1 })).toBe(greedy);
  const penalties = { frequency_penalty: 2, presence_penalty: 2, repeat_penalty: 1.5 };
  const varied = await answer({ temperature: 0, max_tokens: 60, ...penalties });
  expect(new Set(varied).size).toBeGreaterThan(new Set(await answer({ temperature: 0, max_tokens: 60 })).size);
});

test('an answer is JSON when the request wants it, also by a schema', async () => {
  const schema = {
    type: 'object',
    properties: { isOn: { type: 'boolean' }, kind: { enum: ['a', 'b'] } },
    required: ['isOn', 'kind'],
    additionalProperties: false,
  };
  const response_format = { type: 'json_schema', json_schema: { name: 'thing', schema } };
  const { body } = await runner.post(CHAT, { messages, max_tokens: 100, temperature: 0, response_format });
  expect(body.choices[0].finish_reason).toBe('stop');
  expect(JSON.parse(body.choices[0].message.content)).toEqual({
    isOn: expect.any(Boolean),
    kind: expect.stringMatching(/^[ab]$/),
  });
  const any = await runner.post(CHAT, { messages, max_tokens: 8, response_format: { type: 'json_object' } });
  expect(any.body.choices[0].message.content).toMatch(/^\s*\{/);
});

test('a prompt that is longer than the context is refused, and an answer ends with the context', async () => {
  const refused = await runner.post(TEXT, { prompt: 'x'.repeat(4_200), max_tokens: 5 });
  expect(refused).toMatchObject({
    status: 400,
    body: { error: { code: 'context_length_exceeded', type: 'invalid_request_error' } },
  });
  const endless = await runner.post(TEXT, { prompt: 'x'.repeat(20_000_000) });
  expect(endless).toMatchObject({ status: 400, body: { error: { code: 'context_length_exceeded' } } });
  const messages = Array.from({ length: 300 }, () => ({ role: 'user', content: 'one word '.repeat(11_000) }));
  const many = await runner.post(CHAT, { messages }); // 30 MB
  expect(many).toMatchObject({ status: 400, body: { error: { code: 'context_length_exceeded' } } });
  const short = Array.from({ length: 800_000 }, () => ({ role: 'user', content: '' }));
  const endlessChat = await runner.post(CHAT, { messages: short }); // 30 MB, too, and no character of text
  expect(endlessChat).toMatchObject({ status: 400, body: { error: { code: 'context_length_exceeded' } } });
  const full = await runner.post(TEXT, { prompt: 'x'.repeat(4_080), temperature: 0 });
  expect(full.body).toMatchObject({ choices: [{ finish_reason: 'length' }], usage: { total_tokens: 4_096 } });
});

test('a client that leaves stops its generation, streamed or not, generating or waiting', async () => {
  const long = { prompt: 'a', temperature: 0 };
  const clients = [];
  for (const _ of Array(2)) {
    const leaver = new AbortController();
    const events = runner.stream(TEXT, long, leaver.signal);
    expect((await events.next()).done).toBe(false);
    clients.push({ leaver, rest: all(events) });
  }
  const waiter = new AbortController();
  const waiting = runner.post(TEXT, long, waiter.signal);
  const served = runner.post(TEXT, { ...long, max_tokens: 1 });
  await sleep(20);
  const ends = [waiting, ...clients.map(({ rest }) => rest)].map((end) => expect(end).rejects.toThrow('abort'));
  waiter.abort();
  for (const { leaver } of clients) leaver.abort();
  await Promise.all(ends);
  expect((await served).status).toBe(200);
});

test('two requests are answered at the same time', async () => {
  const leaver = new AbortController();
  const long = runner.stream(TEXT, { prompt: 'a', temperature: 0 }, leaver.signal);
  await long.next();
  expect((await runner.post(TEXT, { prompt: 'b', max_tokens: 5 })).status).toBe(200);
  expect(JSON.parse((await long.next()).value ?? '').choices[0].finish_reason).toBeNull();
  leaver.abort();
});

describe('a request that cannot be honoured is refused and names the member', () => {
  const chat = { messages };
  test.each([
    [CHAT, '{', 400, null, 'not valid JSON'],
    [CHAT, '[]', 400, null, 'expected object'],
    [CHAT, {}, 400, 'messages', 'expected array'],
    [CHAT, { messages: [] }, 400, 'messages', '>=1'],
    [CHAT, { messages: [{ role: 'tool', content: 'x', tool_call_id: 'y' }] }, 400, 'messages.0.role', 'no tools'],
    [
      CHAT,
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }] },
      400,
      'messages.0.content',
      'no images',
    ],
    [CHAT, { messages: [{ role: 'user', content: 7 }] }, 400, 'messages.0.content', 'expected a text'],
    [CHAT, { ...chat, temperature: -1 }, 400, 'temperature', '>=0'],
    [CHAT, { ...chat, max_tokens: 0 }, 400, 'max_tokens', '>=1'],
    [CHAT, { ...chat, top_p: 'x' }, 400, 'top_p', 'expected number'],
    [CHAT, { ...chat, n: 2 }, 400, 'n', 'Several answers'],
    [CHAT, { ...chat, tools: [{ type: 'function' }] }, 400, 'tools', 'Tools'],
    [CHAT, { ...chat, logprobs: true }, 400, 'logprobs', 'Log probabilities'],
    [CHAT, { ...chat, audio: {} }, 400, 'audio', 'Spoken answers'],
    [CHAT, { ...chat, logit_bias: { 5: 1 } }, 400, 'logit_bias', 'Token biases'],
    [
      CHAT,
      { ...chat, response_format: { type: 'json_schema', json_schema: { schema: { pattern: 'x' } } } },
      400,
      'response_format.json_schema.schema',
      '"pattern"',
    ],
    [TEXT, { prompt: ['a', 'b'] }, 400, 'prompt', 'one prompt'],
    [TEXT, { prompt: [1, 9_999] }, 400, 'prompt', 'below 259'],
    [TEXT, { prompt: 'a', echo: true }, 400, 'echo', 'echo'],
    ['/v1/embeddings', { input: 'a' }, 501, null, 'its mode is generation'],
    ['/v1/rerank', { query: 'a', documents: ['b'] }, 501, null, 'its mode is generation'],
    ['/v1/audio/speech', {}, 404, null, 'There is no'],
  ])('%s %j', async (path, body, status, param, message) => {
    const reply = await runner.post(path, body);
    expect(reply).toMatchObject({ status, body: { error: { param, message: expect.stringContaining(message) } } });
  });

  test('neutral values and unknown members are accepted', async () => {
    const neutral = {
      n: 1,
      tools: [],
      logprobs: false,
      user: 'me',
      store: false,
      stop: null,
      parallel_tool_calls: true,
    };
    expect(await runner.post(CHAT, { ...chat, ...neutral, max_tokens: 1 })).toMatchObject({ status: 200 });
    expect(await runner.get(CHAT)).toMatchObject({ status: 405 });
  });

  test('a body above 32 MB', async () => {
    const reply = await runner.post(CHAT, `{"x":"${'x'.repeat(33 * 1024 * 1024)}"}`).catch((error) => error.cause);
    // The refusal may reach the client after its connection is cut.
    expect(reply.status ?? reply.code).toBeOneOf([413, 'EPIPE', 'ECONNRESET', 'UND_ERR_SOCKET']);
    expect((await runner.get('/health')).status).toBe(200);
  });
});

async function all(events: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = [];
  for await (const event of events) found.push(event);
  return found;
}

test.each<[NamedTemplate, string]>([
  ['chatml', '<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\n'],
  [
    'llama3',
    '<|start_header_id|>user<|end_header_id|>\n\nhi<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n',
  ],
])('a chat with the template %s has the prompt that llama-server makes by this name', async (chatTemplate, prompt) => {
  const chatHistory: ChatHistoryItem[] = [
    { type: 'user', text: 'hi' },
    { type: 'model', response: [] },
  ];
  const { contextText } = (await namedWrapper(chatTemplate)).generateContextState({ chatHistory });
  expect(contextText.toString()).toBe(`BOS${prompt}`);
  await using named = await startRunner({ chatTemplate }, { chatTemplate: null });
  await named.healthy();
  const { body } = await named.post(CHAT, { messages, max_tokens: 1 });
  expect(body.usage.prompt_tokens).toBeGreaterThan(prompt.length); // a token is a byte
});
