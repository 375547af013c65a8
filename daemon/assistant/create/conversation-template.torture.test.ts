/** The template `conversation` on the real daemon: a simulated robot, real Python, and models of the test behind the gateway. */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type ConversationApp, startConversation } from '../../testing/apps/conversation-app.ts';
import { type CheckedDaemon, startCheckedDaemon } from '../../testing/daemon/checked-daemon.ts';
import { newDataDir, projectDir } from '../../testing/daemon/test-daemon.ts';
import { endpointClient } from '../../testing/endpoints/endpoint-client.ts';
import { createOwnFileEndpoint } from '../../testing/endpoints/own-file-endpoint.ts';
import { httpModelServer, type ModelServer } from '../../testing/gateway/model-server.ts';
import { writeLinkedLlamaServer } from '../../testing/models/llama-server-standin.ts';
import { writeTinyGguf } from '../../testing/models/tiny-gguf.ts';
import { createApp } from './create-app.ts';

const NAME = 'small_talk';
const APP = `/api/apps/installed/${NAME}`;

let root: string;
let checked: CheckedDaemon;
let model: ModelServer;
let token: string;
let dataDir: string;
/** The requests to the models, oldest first. */
const asked: { readonly path: string; readonly body: Buffer }[] = [];
/** Answers the next chats, one each; without one, the chat waits for ever. */
let chats: ((response: ServerResponse) => void)[] = [];

beforeAll(async () => {
  vi.stubEnv('PIP_INDEX_URL', 'http://127.0.0.1:9/');
  root = await mkdtemp(join(tmpdir(), 'robot-desktop-talk-'));
  model = await httpModelServer(answerAsModel);
  dataDir = await newDataDir();
  const llamaServer = await writeLinkedLlamaServer(dataDir, model.socketPath);
  checked = await startCheckedDaemon({ dataDir, llamaServer, installer: 'pip', wakeUpOnStart: true });
  token = await checked.newToken();
  const authorization = `Bearer ${token}`;
  const modelPath = writeTinyGguf(join(dataDir, 'tiny.gguf'));
  for (const [name, task] of [
    ['chat', 'text-generation'],
    ['ear', 'automatic-speech-recognition'],
  ] as const) {
    await createOwnFileEndpoint(checked.daemon.url, { authorization }, { name, task, modelPath });
    await endpointClient(checked.daemon.url, token, name).until('running');
  }
  const templatesDir = join(projectDir, 'assets', 'app-templates');
  const { folder } = await createApp(
    { name: 'Small talk', destination: root, template: 'conversation' },
    { templatesDir },
  );
  expect(await checked.daemon.install(folder)).toMatchObject({ state: 'done', appName: NAME });
}, 180_000);

afterEach(async () => {
  vi.unstubAllEnvs();
  vi.stubEnv('PIP_INDEX_URL', 'http://127.0.0.1:9/');
  await checked.ask('POST', '/api/apps/stop-current-app', { token: null });
  for (const need of ['chat', 'hear']) await assign(need, null);
  asked.length = 0;
  chats = [];
});

afterAll(async () => {
  await checked[Symbol.asyncDispose]();
  await model.stop();
  for (const folder of [root, dataDir]) await rm(folder, { recursive: true, force: true });
});

async function answerAsModel(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? '';
  if (request.method === 'GET') return void response.end('{"status":"ok"}');
  asked.push({ path, body: await buffer(request) });
  if (path === '/v1/audio/transcriptions') {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"text":"Do you like me?"}');
  } else chats.shift()?.(response);
}

/** Answers a chat with events. */
const streams =
  (...deltas: readonly object[]) =>
  (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const delta of deltas) response.write(`data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`);
    response.end('data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
  };
const says = (content: string) => ({ content });
const calls = (name: string, given: string) => ({
  tool_calls: [{ index: 0, id: 'call-1', type: 'function', function: { name, arguments: given } }],
});
const refuses = (status: number, message: string) => (response: ServerResponse) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message } }));

const assign = (need: string, name: string | null) =>
  checked.ask('PUT', `${APP}/needs/${need}`, { body: { endpoint: name && { namespace: 'lab', name } } });
const start = (): Promise<ConversationApp> => startConversation(checked.daemon, NAME);

async function stop() {
  const { body } = await checked.ask('POST', '/api/apps/stop-current-app', { token: null });
  expect(body.state).toBe('free');
  const [run] = await checked.daemon.call('listRuns');
  return run;
}

/** @returns waits until the head has gone down by 5 degrees from where it is at the call, and up again */
async function watchNod(): Promise<() => Promise<void>> {
  const pitch = async () => {
    const { head } = (await checked.daemon.call('getRobot')).pose;
    return (Math.asin(-(head[8] ?? 0)) * 180) / Math.PI;
  };
  const before = await pitch();
  const until = (isSo: (loweredDeg: number) => void) =>
    vi.waitFor(async () => isSo((await pitch()) - before), { timeout: 20_000, interval: 5 });
  return async () => {
    await until((loweredDeg) => expect(loweredDeg).toBeGreaterThan(5));
    await until((loweredDeg) => expect(loweredDeg).toBeLessThan(2));
  };
}

/** The samples of a WAV file, between -1 and 1. */
async function soundIn(path: string): Promise<number[]> {
  const file = await readFile(path);
  const data = file.subarray(44);
  return Array.from({ length: data.length / 2 }, (_, at) => data.readInt16LE(2 * at) / 32_768);
}

/** Writes a WAV file with somebody who says something for a second, every four seconds. */
async function writeVoice(path: string, times: number): Promise<void> {
  const rate = 16_000;
  const samples = Buffer.alloc(2 * 4 * rate * times);
  for (let at = 0; at < samples.length / 2; at++) {
    const speaks = Math.floor(at / rate) % 4 === 1;
    if (speaks) samples.writeInt16LE(Math.round(8_000 * Math.sin(at / 12)), 2 * at);
  }
  const header = Buffer.alloc(44);
  header.write('RIFF\0\0\0\0WAVEfmt ', 'latin1');
  header.writeUInt32LE(36 + samples.length, 4);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(2 * rate, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(samples.length, 40);
  await writeFile(path, Buffer.concat([header, samples]));
}

test('without a model a script answers: it nods, speaks, moves with its voice, and can be interrupted', async () => {
  const played = join(root, 'played.wav');
  vi.stubEnv('ROBOT_AUDIO_OUTPUT', played);
  const app = await start();
  expect((await app.look()).status).toMatchObject({ partner: { kind: 'script' }, microphone: '' });
  await app.say('What can you do?'); // its answer is the longest one
  await app.untilState('speaking');
  expect(await app.post('/interrupt', {})).toEqual({});
  await app.untilState('listening');
  expect((await app.until('script', 'I can nod')).is_cut_off).toBe(true);

  const nodded = await watchNod();
  await app.say('Hello!');
  await nodded();

  await app.say('Why is the sky blue?');
  await app.until('script', 'I am only a script, so I cannot answer that.');
  expect(await stop()).toMatchObject({ appName: NAME, outcome: 'stopped', exitCode: 0 });
  const sound = await soundIn(played);
  expect(sound.length / 16_000, 'seconds of speech').toBeGreaterThan(0.5);
  expect(Math.max(...sound.slice(0, 16_000))).toBeGreaterThan(0.1);
});

test('a voice is understood by one model and answered by another, which calls a tool', async () => {
  const heard = join(root, 'heard.wav');
  await writeVoice(heard, 1);
  vi.stubEnv('ROBOT_AUDIO_INPUT', heard);
  await assign('chat', 'chat');
  await assign('hear', 'ear');
  chats = [streams(says('Of course. '), calls('nod', '{"times": 3}')), streams(says('I like '), says('everybody.'))];
  const app = await start();
  const nodded = await watchNod();
  await Promise.all([nodded(), app.until('model', 'I like everybody.')]);
  expect(await app.said()).toEqual([
    'you: Do you like me?',
    'model: Of course. I like everybody.',
    'tool: The robot nods.',
  ]);
  expect((await app.look()).status).toMatchObject({
    partner: { kind: 'model', name: expect.stringContaining('lab/chat') },
  });
  expect(asked.map(({ path }) => path)).toEqual([
    '/v1/audio/transcriptions',
    '/v1/chat/completions',
    '/v1/chat/completions',
  ]);
  expect(asked[0]?.body.includes('RIFF')).toBe(true);
  const [first, second] = asked.slice(1).map(({ body }) => JSON.parse(body.toString()));
  expect(first.tools.map((each: { function: { name: string } }) => each.function.name)).toContain('nod');
  expect(second.messages.slice(1)).toEqual([
    { role: 'user', content: 'Do you like me?' },
    {
      role: 'assistant',
      content: 'Of course. ',
      tool_calls: [{ id: 'call-1', type: 'function', function: { name: 'nod', arguments: '{"times": 3}' } }],
    },
    { role: 'tool', tool_call_id: 'call-1', content: 'The robot nods.' },
  ]);
  expect(await stop()).toMatchObject({ outcome: 'stopped', exitCode: 0 });
});

test('a voice interrupts the robot while it speaks', async () => {
  const heard = join(root, 'interrupts.wav');
  await writeVoice(heard, 10);
  vi.stubEnv('ROBOT_AUDIO_INPUT', heard);
  await assign('chat', 'chat');
  await assign('hear', 'ear');
  chats = Array.from({ length: 10 }, () => streams(says('One, two, three, four, five. '.repeat(20))));
  const app = await start();
  await vi.waitFor(
    async () => {
      const { entries } = await app.look();
      expect(entries.filter(({ who, is_cut_off }) => who === 'model' && is_cut_off)).not.toEqual([]);
    },
    { timeout: 45_000 },
  );
  expect(await stop()).toMatchObject({ outcome: 'stopped', exitCode: 0 });
});

test('a model that takes no tools, calls wrong ones, or fails is reported, and the conversation goes on', async () => {
  await assign('chat', 'chat');
  chats = [
    streams(calls('fly', '{"high')),
    streams(says('I cannot fly.')),
    refuses(400, 'Tools are not supported.'),
    refuses(400, 'Tools are not supported.'),
    streams(says('Hello.')),
    refuses(500, 'It broke.'),
    refuses(500, 'It broke.'),
  ];
  const app = await start();
  await app.say('Fly!');
  await app.until('model', 'I cannot fly.');
  await app.until('notice', "There is no tool 'fly'.");
  await app.say('Hi');
  await app.until('model', 'Hello.');
  await app.until('notice', 'The model takes no tools, so it talks without them.');
  await app.say('Bye');
  await app.until('notice', 'The endpoint lab/chat (need "chat") failed (500): It broke.');
  await app.until('script', 'Goodbye!');
  expect(await checked.daemon.output()).toContain('The endpoint lab/chat (need "chat") failed (500): It broke.');
  expect(await stop()).toMatchObject({ outcome: 'stopped', exitCode: 0 });
});

test.each(['starting', 'listening', 'thinking', 'writing', 'speaking', 'dancing'])(
  'a stop ends it while it is %s',
  async (when) => {
    await assign('chat', 'chat');
    const app = await start();
    if (when === 'writing')
      chats = [(response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).write('\n')];
    if (when === 'speaking') chats = [streams(says('One, two, three, four, five. '.repeat(20)))];
    if (when === 'dancing') chats = [streams(calls('dance', '{}'))];
    if (when !== 'starting' && when !== 'listening') {
      await app.say('Go.');
      await vi.waitFor(() => expect(asked.length).toBeGreaterThan(0));
    }
    if (when === 'speaking' || when === 'listening') await app.untilState(when);
    if (when === 'dancing') await app.until('tool', 'The robot dances.');
    expect(await stop()).toMatchObject({ outcome: 'stopped', exitCode: 0 });
    expect((await checked.daemon.output()).filter((line) => line.includes('Traceback'))).toEqual([]);
  },
);
