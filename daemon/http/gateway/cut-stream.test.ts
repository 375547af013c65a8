/** Streams of events that a model server does not end, over real HTTP. */
import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startGateway } from '../../testing/gateway/gateway-server.ts';
import { rawModelServer } from '../../testing/gateway/model-server.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { gatewayBounds } from './gateway.ts';

const piece = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const head = (type: string, more = '') =>
  `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\n${more}transfer-encoding: chunked\r\n\r\n`;
const event = 'data: {"a":1}\n\n';

/** The part that a caller gets of an answer that a model server begins so, and then does not go on with. */
async function heard(begin: string, cut: (socket: Socket) => void) {
  const clock = movableClock();
  const model = await rawModelServer((socket) => {
    socket.write(begin, () => cut(socket));
  });
  const deadlines = { ...gatewayBounds.deadlines, idleMs: 1_000 };
  const { url, ...served } = await startGateway(model.socketPath, { clock, deadlines });
  onTestFinished(async () => {
    await served[Symbol.asyncDispose]();
    await model.stop();
  });
  const response = await fetch(url);
  let text = '';
  const reading = (async () => {
    for await (const bytes of response.body ?? []) text += Buffer.from(bytes).toString();
  })();
  const isWhole = await clock.during(reading).then(
    () => true,
    () => false,
  );
  return { text, isWhole };
}

const end = (socket: Socket) => void socket.destroy();
const saying = (message: string) =>
  `data: ${JSON.stringify({ error: { message, type: 'server_error', param: null, code: 'model_server_failed' } })}\n\n`;
const ENDED = saying('The model server ended before its answer was complete.');

test.each<[string, string, string]>([
  ['after an event', `${head('text/event-stream')}${piece(event)}`, event + ENDED],
  ['before its first event', head('text/event-stream; charset=utf-8'), ENDED],
  [
    'after an event with other line ends',
    `${head('text/event-stream')}${piece('data: 1\r\n\r')}${piece('\n')}`,
    `data: 1\r\n\r\n${ENDED}`,
  ],
  ['in an event', `${head('text/event-stream')}${piece(event)}${piece('data: {"b')}`, `${event}data: {"b`],
  ['that is no stream of events', `${head('application/json')}${piece('{"a":')}`, '{"a":'],
  ['that is encoded', `${head('text/event-stream', 'content-encoding: br\r\n')}`, ''],
])('an answer that is cut off %s', async (_, begin, text) => {
  expect(await heard(begin, end)).toEqual({ text, isWhole: false });
});

test('a stream that stops says so at the limit', async () => {
  const stopped = heard(`${head('text/event-stream')}${piece(event)}`, () => {});
  const said = saying('The model server stopped in the middle of its answer.');
  expect(await stopped).toEqual({ text: event + said, isWhole: false });
});
