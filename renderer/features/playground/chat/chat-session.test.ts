import { expect, test, vi } from 'vitest';
import { ChatSession, type ChatSessionDeps, settingsProblems } from './chat-session.ts';
import { type Conversation, emptyConversation } from './conversation.ts';

interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly temperature?: number;
}

/** A session with a model server that answers a list of replies, one for each request. */
function begin(replies: readonly (Response | Promise<Response>)[], more: Partial<ChatSessionDeps> = {}) {
  const asked: Asked[] = [];
  const saved: Conversation[] = [];
  const frames: (() => void)[] = [];
  const session = new ChatSession({
    url: '/endpoints/lab/chat',
    model: 'ada/chat',
    storage: { load: () => emptyConversation, save: (conversation) => void saved.push(conversation) },
    contextTokens: () => null,
    onUnauthorized: () => {},
    nextFrame: (work) => {
      frames.push(work);
      return () => void frames.splice(frames.indexOf(work), 1);
    },
    nowMs: () => 0,
    send: async (_input, init) => {
      asked.push(JSON.parse(init?.body as string) as Asked);
      return (await replies[asked.length - 1]) ?? refused(500, 'No more replies');
    },
    ...more,
  });
  return { session, asked, saved, frames };
}

const refused = (status: number, message: string) => new Response(JSON.stringify({ error: { message } }), { status });

function streamed(pieces: readonly string[], promptTokens = 10): Response {
  const chunks = pieces.map((content) => ({ choices: [{ delta: { content } }] }));
  const usage = { prompt_tokens: promptTokens, completion_tokens: pieces.length };
  const end = { choices: [{ delta: {}, finish_reason: 'stop' }], usage };
  const text = [...chunks, end].map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
  return new Response(`${text}data: [DONE]\n\n`, { headers: { 'content-type': 'text/event-stream' } });
}

test('an answer is collected, measured, kept, and sent along with the next message', async () => {
  let nowMs = 0;
  const { session, asked, saved } = begin([streamed(['Hel', 'lo']), streamed(['Yes'])], {
    nowMs: () => (nowMs += 100),
  });
  session.change({ system: 'Be short.', temperature: '0,5' });
  await session.ask('Hi');
  expect(session.state()).toMatchObject({ isBusy: false, sentFrom: null });
  expect(session.state().turns.map(({ role, text, end }) => [role, text, end?.state])).toEqual([
    ['user', 'Hi', undefined],
    ['assistant', 'Hello', 'done'],
  ]);
  expect(session.state().turns[1]?.end).toMatchObject({ firstMs: 100, tokens: 2, tokensPerSecond: 10, isCut: false });
  expect(saved.at(-1)?.turns).toHaveLength(2);
  await session.ask('Sure?');
  expect(asked[1]).toMatchObject({ temperature: 0.5 });
  expect(asked[1]?.messages.map(({ content }) => content)).toEqual(['Be short.', 'Hi', 'Hello', 'Sure?']);
});

test.each([
  ['in one piece', 100, ['Hello'], 1],
  ['in less time than can be measured', 10, ['Hel', 'lo'], 2],
])('an answer that comes %s has no speed', async (_how, stepMs, pieces, tokens) => {
  let nowMs = 0;
  const { session } = begin([streamed(pieces)], { nowMs: () => (nowMs += stepMs) });
  await session.ask('Hi');
  expect(session.state().turns[1]?.end).toMatchObject({ firstMs: stepMs, tokens, tokensPerSecond: null });
});

test.each([
  ['', 2, false],
  ['2', 2, true],
  ['500', 2, false],
])(
  'with the longest answer "%s", one of %i tokens that ends by its length is cut by the setting: %s',
  async (maxTokens, answer, isCutBySetting) => {
    const end = {
      choices: [{ delta: { content: 'x' }, finish_reason: 'length' }],
      usage: { prompt_tokens: 3, completion_tokens: answer },
    };
    const headers = { 'content-type': 'text/event-stream' };
    const { session } = begin([new Response(`data: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`, { headers })]);
    session.change({ maxTokens });
    await session.ask('Hi');
    expect(session.state().turns[1]?.end).toMatchObject({ isCut: true, isCutBySetting });
  },
);

test('many pieces change the state once a frame', async () => {
  const body = new TransformStream<Uint8Array, Uint8Array>();
  const writer = body.writable.getWriter();
  const reply = new Response(body.readable, { headers: { 'content-type': 'text/event-stream' } });
  const send: typeof fetch = async (_input, init) => {
    init?.signal?.addEventListener('abort', () => void writer.abort().catch(() => {}));
    return reply;
  };
  const { session, frames } = begin([], { send });
  let changes = 0;
  const done = session.ask('Hi');
  session.subscribe(() => changes++);
  const events = Array.from({ length: 500 }, () => 'data: {"choices":[{"delta":{"content":"x"}}]}\n\n').join('');
  await writer.write(new TextEncoder().encode(events));
  await vi.waitFor(() => expect(frames).toHaveLength(1));
  expect(changes).toBe(0);
  frames.shift()?.();
  expect(session.state().turns.at(-1)?.text).toBe('x'.repeat(500));
  expect(changes).toBe(1);
  session.stop();
  await done;
  expect(session.state().turns.at(-1)?.end?.state).toBe('stopped');
});

test('a conversation that is refused as too long is sent again without its oldest messages', async () => {
  const tooLong = refused(400, 'the request exceeds the available context size (64 tokens), try increasing it');
  const { session, asked } = begin([streamed(['1']), streamed(['2']), streamed(['3']), tooLong, streamed(['4'])]);
  for (const text of ['a', 'b', 'c', 'd']) await session.ask(text);
  const texts = asked.map(({ messages }) => messages.map(({ content }) => content).join(' '));
  expect(texts).toEqual(['a', 'a 1 b', 'a 1 b 2 c', 'a 1 b 2 c 3 d', 'c 3 d']);
  const { turns, sentFrom } = session.state();
  expect(turns.find(({ id }) => id === sentFrom)?.text).toBe('c');
  expect(turns.at(-1)).toMatchObject({ text: '4', end: { state: 'done' } });
});

test('a single message that is too long, and other refusals, are shown; the next message can be sent', async () => {
  let lost = 0;
  const { session, asked } = begin(
    [refused(400, 'The context has room for 64 tokens.'), refused(401, 'Sign in.'), streamed(['ok'])],
    { onUnauthorized: () => void lost++ },
  );
  await session.ask('x'.repeat(100));
  expect(session.state().turns.at(-1)?.end).toMatchObject({
    state: 'failed',
    error: 'The context has room for 64 tokens.',
  });
  expect(asked).toHaveLength(1);
  await session.ask('again');
  expect([session.state().turns.at(-1)?.end?.error, lost]).toEqual(['Sign in.', 1]);
  await session.ask('and again');
  expect(session.state().turns.at(-1)?.text).toBe('ok');
  session.clear();
  expect(session.state().turns).toEqual([]);
});

test('a question that failed is not sent with the next one: questions and answers alternate', async () => {
  const { session, asked } = begin([
    streamed(['1']),
    refused(500, 'Broken.'),
    refused(500, 'Broken.'),
    streamed(['4']),
  ]);
  for (const text of ['a', 'b', 'c', 'd']) await session.ask(text);
  expect(asked.at(-1)?.messages.map(({ content }) => content)).toEqual(['a', '1', 'd']);
  expect(session.nextMessages('e').map(({ content }) => content)).toEqual(['a', '1', 'd', '4', 'e']);
});

test('nothing is sent while a setting is not a number that it can be', async () => {
  const { session, asked } = begin([streamed(['1'])]);
  for (const wrong of [{ temperature: 'warm' }, { temperature: '-1' }, { maxTokens: '0' }, { maxTokens: '1.5' }]) {
    session.change({ temperature: '', maxTokens: '', ...wrong });
    expect(Object.keys(settingsProblems(session.state().settings)), JSON.stringify(wrong)).toEqual(Object.keys(wrong));
    await session.ask('a');
  }
  expect([asked, session.state().turns]).toEqual([[], []]);
  session.change({ temperature: '0,5', maxTokens: ' 20 ' });
  await session.ask('a');
  expect(asked).toHaveLength(1);
});

test('what does not fit a known context is not sent; the estimate follows what the server counts', async () => {
  const replies = Array.from({ length: 12 }, () => streamed(['y'.repeat(20)], 100));
  const { session, asked } = begin(replies, { contextTokens: () => 200 });
  for (let turn = 0; turn < 12; turn++) await session.ask('x'.repeat(20));
  const last = asked.at(-1)?.messages ?? [];
  expect(last.length).toBeLessThan(12);
  expect(last[0]?.role).toBe('user');
  expect(session.state().sentFrom).not.toBeNull();
});
