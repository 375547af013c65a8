import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { OwnEndpoint } from '../../contract/endpoints/endpoint.ts';
import { atTerminal, captureOutput, pipeInput } from '../../testing/terminal/in-process.ts';
import { listingOf, scriptedClient } from '../../testing/terminal/scripted-daemon.ts';
import { BadArguments, Interrupted } from '../shared/errors.ts';
import type { OnDaemonWithToken } from '../shared/on-daemon.ts';
import { type ChatOptions, chat } from './chat.ts';

/** The answer of a model to a question; `hang`: it thinks for ever. */
type Answer = { status?: number; says: object } | 'hang';
const saying = (content: string, more: object = {}, usage: object | null = null): Answer => ({
  says: { choices: [{ message: { role: 'assistant', content, ...more }, finish_reason: 'stop' }], usage },
});
const cutOff = (tokens: number | null): Answer => {
  const choices = [{ message: { role: 'assistant', content: 'Once' }, finish_reason: 'length' }];
  return { says: { choices, usage: tokens === null ? null : { prompt_tokens: 9, completion_tokens: tokens } } };
};

/** The endpoint lab/poet, which answers each question with the next answer. */
async function poet(...answers: readonly Answer[]) {
  const rest = [...answers];
  const questions: unknown[] = [];
  const asked = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      questions.push({ path: request.url, authorization: request.headers.authorization, body });
      asked.resolve();
      const answer = rest.shift() ?? 'hang';
      if (answer === 'hang') return;
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer.says));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const endpoint = { name: 'poet', status: { url }, model: { repository: 'lab/poet-7b' } };
  const endpoints = [{ namespace: 'lab', endpoint } as OwnEndpoint];
  const { client } = scriptedClient({ listOwnEndpoints: listingOf(endpoints) });
  const interrupt = new AbortController();
  const context: OnDaemonWithToken = { client, token: 'rd_lent', signal: interrupt.signal };
  const interruptNow = () => interrupt.abort(new Interrupted());
  const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
    interruptNow();
    return true;
  });
  onTestFinished(() => kill.mockRestore());
  return { context, questions, asked: asked.promise, interrupt: interruptNow, kill };
}
type Poet = Awaited<ReturnType<typeof poet>>;

const question = (...contents: readonly (readonly [role: string, content: string])[]) => ({
  path: '/v1/chat/completions',
  authorization: 'Bearer rd_lent',
  body: {
    ...{ model: 'lab/poet-7b', stream: true, stream_options: { include_usage: true } },
    messages: contents.map(([role, content]) => ({ role, content })),
  },
});

/** Asks once, outside of a terminal. */
async function said({ context }: Poet, message: string | undefined, options: ChatOptions = {}) {
  const printed = captureOutput();
  await chat(context, 'poet', message, options);
  const { out, err, code } = printed;
  return { out, err, code };
}

test('a message as an argument is asked with the token that is lent, and the answer alone is the output', async () => {
  const model = await poet(saying('A rose.\u001b[2J', { reasoning_content: 'Hm' }));
  expect(await said(model, 'Sing')).toEqual({ out: 'A rose.\\u001b[2J\n', err: '', code: 0 });
  expect(model.questions).toEqual([question(['user', 'Sing'])]);
});

test('the system text comes first, and the settings of the answer are sent', async () => {
  const model = await poet(saying('Yes.'));
  await said(model, 'Sing', { system: 'Be short.', temperature: 0, maxTokens: 8 });
  const { body, ...rest } = question(['system', 'Be short.'], ['user', 'Sing']);
  expect(model.questions).toEqual([{ ...rest, body: { ...body, temperature: 0, max_tokens: 8 } }]);
});

test('as JSON the answer has its reasoning and its end, and nothing else is printed', async () => {
  const usage = { prompt_tokens: 9, completion_tokens: 2 };
  const model = await poet(saying('A rose.', { reasoning_content: 'Hm' }, usage), cutOff(8));
  const { out, err } = await said(model, 'Sing', { json: true });
  expect({ out: JSON.parse(out) as unknown, err }).toEqual({
    out: { answer: 'A rose.', reasoning: 'Hm', finishReason: 'stop', tokens: { prompt: 9, answer: 2 } },
    err: '',
  });
  const cut = await said(model, 'Sing', { json: true, maxTokens: 8 });
  expect({ out: JSON.parse(cut.out) as unknown, err: cut.err }).toMatchObject({
    ...{ out: { answer: 'Once', finishReason: 'length' }, err: '' },
  });
});

const BY_SETTING = '(The answer was cut off at --max-tokens.)\n';
const BY_SERVER = '(The model server cut the answer off: its context may be full.)\n';
test.each([
  [8, 8, BY_SETTING],
  [8, null, BY_SETTING],
  [8, 9, BY_SETTING],
  [8, 7, BY_SERVER],
  [undefined, 8, BY_SERVER],
])(
  'with --max-tokens %s, an answer cut off after %s tokens says why on standard error',
  async (maxTokens, tokens, why) => {
    const { out, err } = await said(await poet(cutOff(tokens)), 'Sing', maxTokens === undefined ? {} : { maxTokens });
    expect({ out, err }).toEqual({ out: 'Once\n', err: why });
  },
);

test('without a message all of standard input is asked', async () => {
  const model = await poet(saying('A rose.'));
  pipeInput('Sing\nof roses\n');
  expect(await said(model, undefined)).toEqual({ out: 'A rose.\n', err: '', code: 0 });
  expect(model.questions).toEqual([question(['user', 'Sing\nof roses\n'])]);
});

test.each([[undefined], [' \n']])('nothing to ask is refused: %j', async (message) => {
  const model = await poet();
  pipeInput('\n');
  const refusal = new BadArguments('There is no message: standard input is empty.');
  await expect(chat(model.context, 'poet', message, {})).rejects.toEqual(refusal);
  expect(model.questions).toEqual([]);
});

test('an endpoint that does not exist is refused before standard input is read', async () => {
  pipeInput('Sing', { ends: false });
  await expect(chat((await poet()).context, 'singer', undefined, {})).rejects.toThrow('no endpoint "singer"');
});

test('a refusal of the model ends the command', async () => {
  const model = await poet({ status: 503, says: { error: 'It is paused.' } });
  await expect(said(model, 'Sing')).rejects.toThrow('It is paused.');
});

test('an interrupt ends the reading of standard input, and an answer', async () => {
  const model = await poet('hang');
  pipeInput('Sing', { ends: false });
  const reading = chat(model.context, 'poet', undefined, {});
  setImmediate(model.interrupt);
  await expect(reading).rejects.toThrow(Interrupted);
  const slow = await poet('hang');
  const answer = chat(slow.context, 'poet', 'Sing', {});
  void slow.asked.then(slow.interrupt);
  await expect(answer).rejects.toThrow(Interrupted);
});

test("in a terminal each line is asked with all that was said before, until Ctrl-D; the shell's prompt has its own line", async () => {
  const model = await poet(saying('A rose.'), saying('Red.'));
  const terminal = atTerminal([
    { wait: '> $', send: 'Sing\r' },
    { wait: 'A rose[^>]*> $', send: ' \r' },
    { wait: '> $', send: 'Which?\r' },
    { wait: 'Red[^>]*> $', send: '\u0004' },
  ]);
  await chat(model.context, 'poet', undefined, { system: 'Be short.' });
  expect(terminal).toMatchObject({ screen: '> Sing\nA rose.\n>  \n> Which?\nRed.\n> \n', code: 0 });
  const first = [
    ['system', 'Be short.'],
    ['user', 'Sing'],
  ] as const;
  expect(model.questions).toEqual([
    question(...first),
    question(...first, ['assistant', 'A rose.'], ['user', 'Which?']),
  ]);
});

test('in a conversation a failure is printed, its question is forgotten, and the next one is asked', async () => {
  const model = await poet({ status: 500, says: { error: 'The context is full.' } }, saying('A rose.'));
  const terminal = atTerminal([
    { wait: '> $', send: 'Long\r' },
    { wait: 'full[^>]*> $', send: 'Short\r' },
    { wait: 'rose[^>]*> $', send: '\u0004' },
  ]);
  await chat(model.context, 'poet', undefined, {});
  expect(terminal).toMatchObject({
    ...{ screen: '> Long\nrobot-daemon: The context is full.\n> Short\nA rose.\n> \n', code: 0 },
  });
  expect(model.questions).toEqual([question(['user', 'Long']), question(['user', 'Short'])]);
});

test('Ctrl-C in a conversation interrupts the process, which ends it without a failure', async () => {
  const model = await poet();
  const terminal = atTerminal([{ wait: '> $', send: 'Si\u0003' }]);
  await expect(chat(model.context, 'poet', undefined, {})).rejects.toThrow(Interrupted);
  expect(model.kill.mock.calls).toEqual([[process.pid, 'SIGINT']]);
  expect(terminal.screen).toBe('> Si');
});

test('an interrupt during an answer ends the conversation', async () => {
  const model = await poet('hang');
  const terminal = atTerminal([{ wait: '> $', send: 'Sing\r' }]);
  void model.asked.then(model.interrupt);
  await expect(chat(model.context, 'poet', undefined, {})).rejects.toThrow(Interrupted);
  expect(terminal.screen).toBe('> Sing\n');
});
