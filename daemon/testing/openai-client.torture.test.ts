/** Uses endpoints with OpenAI's JavaScript client, unchanged except for its address: the real daemon and model servers. */
import OpenAI, {
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
} from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EndpointClient } from './endpoints/endpoint-client.ts';
import { startTinyModelsDaemon, type TinyModelsDaemon } from './endpoints/tiny-models-daemon.ts';
import { llamaServerForTests, NO_LLAMA_SERVER } from './models/llama-server-program.ts';

/** The context in tokens: to fill it takes more than 20 s. */
const LONG = 8_192;
/** A short request is answered within this time, also on a busy machine. */
const WITHIN_MS = 10_000;
const model = 'ada/chats';
const messages = [{ role: 'user', content: 'Hello' }] as const;
const short = { model, messages: [...messages], max_tokens: 8, temperature: 0 };

const llamaServer = await llamaServerForTests();

describe.each(['the bundled runner', 'llama-server'])('with %s', (program) => {
  const isBundled = program === 'the bundled runner';
  const isMissing = !isBundled && llamaServer === null;
  let daemon: TinyModelsDaemon;
  let chats: EndpointClient;

  beforeAll(async () => {
    if (isMissing) return;
    daemon = await startTinyModelsDaemon({ llamaServer: isBundled ? 'none' : llamaServer });
    [chats] = await Promise.all([
      daemon.serve('chats', { model: { contextLength: LONG }, image: { ctxSize: LONG } }),
      daemon.serve('short', { model: { contextLength: LONG }, image: { ctxSize: 512 } }),
      daemon.serve('vectors', { image: { mode: 'embeddings' } }),
    ]);
  });
  afterAll(() => daemon?.[Symbol.asyncDispose]());

  /** A client of an endpoint, made as its documentation says. */
  async function clientOf(name: string, more: ConstructorParameters<typeof OpenAI>[0] = {}): Promise<OpenAI> {
    const { body } = await daemon.checked.ask('GET', `/v2/endpoint/lab/${name}`);
    return new OpenAI({ baseURL: `${body.status.url}/v1`, apiKey: daemon.token, ...more });
  }

  test.skipIf(isMissing)(`the models are listed${isMissing ? `: ${NO_LLAMA_SERVER}` : ''}`, async () => {
    const client = await clientOf('chats');
    const { data } = await client.models.list();
    expect(data).toEqual([expect.objectContaining({ id: model, object: 'model', owned_by: expect.any(String) })]);
    if (!isBundled) return; // llama-server looks none up
    expect(await client.models.retrieve(model)).toEqual(data[0]);
    await expect(client.models.retrieve('ada/none')).rejects.toThrow(NotFoundError);
  });

  test.skipIf(isMissing)('a chat is answered', async () => {
    const client = await clientOf('chats');
    const answer = await client.chat.completions.create(short);
    expect(answer).toMatchObject({
      ...{ object: 'chat.completion', model, id: expect.stringMatching(/^chatcmpl-/) },
      choices: [
        { index: 0, finish_reason: 'length', message: { role: 'assistant', content: expect.stringMatching(/\d-\d/) } },
      ],
      usage: { completion_tokens: 8, prompt_tokens: expect.any(Number), total_tokens: expect.any(Number) },
    });
    expect(answer.created).toBeCloseTo(Date.now() / 1_000, -2);
    expect((await client.chat.completions.create(short)).choices).toEqual(answer.choices);
  });

  test.skipIf(isMissing)(
    'a streamed chat arrives in pieces that make up the whole answer, with the usage at its end',
    async () => {
      const client = await clientOf('chats');
      const whole = await client.chat.completions.create(short);
      const stream = await client.chat.completions.create({
        ...short,
        stream: true,
        stream_options: { include_usage: true },
      });
      const pieces: OpenAI.ChatCompletionChunk[] = [];
      for await (const piece of stream) pieces.push(piece);
      expect(pieces.length).toBeGreaterThan(8);
      expect(pieces.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(
        whole.choices[0]?.message.content,
      );
      expect(pieces.flatMap(({ choices }) => choices[0]?.finish_reason ?? [])).toEqual(['length']);
      expect(pieces.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 8 } });
      const helped = client.chat.completions.stream(short);
      expect((await helped.finalChatCompletion()).choices[0]?.message.content).toBe(whole.choices[0]?.message.content);
    },
  );

  test.skipIf(isMissing)('chats at the same time have the context that the endpoint states, each of them', async () => {
    const client = await clientOf('short', { maxRetries: 0, timeout: 100_000 });
    const long = { ...short, max_tokens: 300 };
    const streamed = async () => {
      const stream = await client.chat.completions.create({ ...long, stream: true });
      const reasons: (string | null)[] = [];
      for await (const { choices } of stream) reasons.push(choices[0]?.finish_reason ?? null);
      return reasons.findLast((reason) => reason !== null);
    };
    const whole = async () => (await client.chat.completions.create(long)).usage?.completion_tokens;
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? streamed() : whole())),
    );
    expect(answers).toEqual(answers.map((_, index) => (index % 2 === 0 ? 'length' : 300)));
  });

  const leaves = 'a client that leaves ends its generation: the next request, in the same place, is answered at once';
  test.skipIf(!isBundled)(isBundled ? leaves : `${leaves}: not seen with llama-server, which is too fast`, async () => {
    const client = await clientOf('chats');
    const endless = { ...short, max_tokens: LONG - 100 };
    const leave = {
      'leaving the loop': async () => {
        for await (const _piece of await client.chat.completions.create({ ...endless, stream: true })) break;
      },
      'aborting the stream': async () => {
        const stream = await client.chat.completions.create({ ...endless, stream: true });
        for await (const _piece of stream) stream.controller.abort();
      },
      'aborting a request without a stream': async () => {
        const signal = AbortSignal.timeout(500);
        await expect(client.chat.completions.create(endless, { signal })).rejects.toThrow(APIUserAbortError);
      },
    };
    for (const [how, left] of Object.entries(leave)) {
      await left();
      const since = performance.now();
      expect((await client.chat.completions.create(short)).usage?.completion_tokens, how).toBe(8);
      expect(performance.now() - since, how).toBeLessThan(WITHIN_MS);
    }
  });

  test.skipIf(isMissing)('a completion is answered', async () => {
    const client = await clientOf('chats');
    const { choices } = await client.completions.create({ model, prompt: 'Hello', max_tokens: 4, temperature: 0 });
    expect(choices).toMatchObject([{ index: 0, text: expect.any(String), finish_reason: 'length' }]);
  });

  test.skipIf(isMissing)('embeddings are the same in the encoding that the client prefers and as numbers', async () => {
    const client = await clientOf('vectors');
    const asked = { model: 'ada/vectors', input: ['a robot', 'a desk'] };
    const encoded = await client.embeddings.create(asked);
    expect(encoded).toMatchObject({
      object: 'list',
      model: 'ada/vectors',
      usage: { prompt_tokens: expect.any(Number) },
    });
    expect(encoded.data.map(({ index, embedding }) => [index, embedding.length])).toEqual([
      [0, 64],
      [1, 64],
    ]);
    const plain = await client.embeddings.create({ ...asked, encoding_format: 'float' });
    for (const [at, { embedding }] of plain.data.entries()) {
      expect([...Float32Array.from(embedding)]).toEqual(encoded.data[at]?.embedding);
    }
    expect(encoded.data[0]?.embedding).not.toEqual(encoded.data[1]?.embedding);
  });

  test.skipIf(isMissing)('an error of each kind has its class', async () => {
    const stranger = await clientOf('chats', { apiKey: 'nobody-knows-it' });
    const refused = await stranger.models.list().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(AuthenticationError);
    expect(refused).toMatchObject({ status: 401, code: 'invalid_api_key', type: 'authentication_error' });

    const client = await clientOf('chats');
    const wrong = await client.chat.completions
      .create({ ...short, temperature: 'warm' as unknown as number })
      .catch((error: unknown) => error);
    expect(wrong).toBeInstanceOf(BadRequestError);
    const details = (of: object) => (isBundled ? of : {}); // llama-server names no code and no member
    expect(wrong).toMatchObject({ status: 400, type: 'invalid_request_error', ...details({ param: 'temperature' }) });
    const embeddings = client.embeddings.create({ model, input: 'a' });
    await expect(embeddings).rejects.toMatchObject({ status: 501, ...details({ code: 'unsupported_mode' }) });
    const long = client.chat.completions.create({ ...short, messages: [{ role: 'user', content: 'a'.repeat(LONG) }] });
    await expect(long).rejects.toMatchObject({ status: 400, ...details({ code: 'context_length_exceeded' }) });
    const { origin } = new URL(client.baseURL);
    const nowhere = new OpenAI({ baseURL: `${origin}/endpoints/lab/nothing/v1`, apiKey: daemon.token });
    await expect(nowhere.models.list()).rejects.toBeInstanceOf(NotFoundError);

    expect((await chats.command('pause')).status).toBe(200);
    let requests = 0;
    const counting = await clientOf('chats', { fetch: (...asked) => fetch(...asked).finally(() => requests++) });
    const paused = await counting.chat.completions.create(short).catch((error: unknown) => error);
    expect(paused).toBeInstanceOf(InternalServerError);
    expect(paused).toMatchObject({
      ...{ status: 503, code: 'endpoint_unavailable', message: '503 "chats" is paused. Resume it to use it.' },
    });
    expect(requests).toBe(1); // only a person can change it: the client does not try again
    expect((await chats.command('resume')).status).toBe(200);
    // It waits for the start.
    expect((await client.chat.completions.create(short)).usage?.completion_tokens).toBe(8);
  });
});
