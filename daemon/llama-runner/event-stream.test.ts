import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { EventStream } from './http-messages.ts';

/** Far more than a connection takes before its reader has read. */
const long = 'x'.repeat(1_000_000);
const never = new AbortController().signal;

/** A connection without a network, whose reader takes bytes only while it reads. */
class Connection extends Duplex {
  received = '';
  #reads = true;
  #onTaken: (() => void) | null = null;

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, onTaken: () => void): void {
    this.received += chunk.toString();
    if (this.#reads) onTaken();
    else this.#onTaken = onTaken;
  }

  pauseReading(): void {
    this.#reads = false;
  }

  readOn(): void {
    this.#reads = true;
    this.#onTaken?.();
    this.#onTaken = null;
  }
}

/** A stream, and its reader. */
async function connected() {
  const reader = new Connection();
  const server = createServer();
  const asked = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
  server.emit('connection', reader);
  reader.push('GET / HTTP/1.0\r\n\r\n'); // so that the body of the answer has no chunks
  const [, response] = await asked;
  onTestFinished(() => void reader.destroy());
  response.sendDate = false;
  return { reader, response, stream: new EventStream(response), events: () => reader.received.split('\r\n\r\n')[1] };
}

/** The state of some work by now. */
async function outcomeOf(work: Promise<void>): Promise<string> {
  let outcome = 'waits';
  void work.then(
    () => {
      outcome = 'done';
    },
    (error: Error) => {
      outcome = error.name;
    },
  );
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  return outcome;
}

/** Ends every limit of time that was asked for. */
let stall = new AbortController();
/** The limits of time so far, in milliseconds. */
let limits: number[] = [];
beforeEach(() => {
  stall = new AbortController();
  limits = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    limits.push(ms);
    return stall.signal;
  });
});
afterEach(() => void vi.restoreAllMocks());

test('a stream has the type of server-sent events, and nothing on the way keeps it', async () => {
  const { reader, stream } = await connected();
  await stream.send('first', never);
  await nextTurn();
  expect(reader.received.split('\r\n\r\n')[0]?.split('\r\n')).toEqual([
    'HTTP/1.1 200 OK',
    'content-type: text/event-stream; charset=utf-8',
    'cache-control: no-cache',
    'x-accel-buffering: no',
    'Connection: close',
  ]);
});

test('each event is one line of JSON, and the last one is [DONE] as it stands', async () => {
  const { response, stream, events } = await connected();
  await stream.send({ text: 'two\nlines' }, never);
  await stream.send({ text: 'grün' }, never);
  expect(response.writableEnded).toBe(false);
  await stream.end(never);
  await nextTurn();
  expect(events()).toBe('data: {"text":"two\\nlines"}\n\ndata: {"text":"grün"}\n\ndata: [DONE]\n\n');
  expect(response.writableEnded).toBe(true);
});

test('a reader that keeps up is never waited for', async () => {
  const { stream } = await connected();
  for (let count = 0; count < 3; count++) expect(await outcomeOf(stream.send('short', never))).toBe('done');
  expect(limits).toEqual([]);
});

test('a reader that is behind is waited for, for a minute at most', async () => {
  const { reader, stream, response } = await connected();
  reader.pauseReading();
  const sent = stream.send(long, never);
  expect(await outcomeOf(sent)).toBe('waits');
  reader.readOn();
  expect(await outcomeOf(sent)).toBe('done');
  expect(limits).toEqual([60_000]);
  expect(response.listenerCount('drain')).toBe(0);
});

test('a wait for a reader ends when its client is gone', async () => {
  const { reader, stream, response } = await connected();
  reader.pauseReading();
  const gone = new AbortController();
  const sent = stream.send(long, gone.signal);
  expect(await outcomeOf(sent)).toBe('waits');
  gone.abort();
  expect(await outcomeOf(sent)).toBe('AbortError');
  expect(response.listenerCount('drain')).toBe(0);
});

test('a reader that takes nothing for a minute loses its stream', async () => {
  const { reader, stream } = await connected();
  reader.pauseReading();
  const sent = stream.send(long, never);
  expect(await outcomeOf(sent)).toBe('waits');
  stall.abort(new DOMException('', 'TimeoutError'));
  expect(await outcomeOf(sent)).toBe('AbortError');
});

test('the end waits for a reader that is behind, and is no end in order when its client is gone meanwhile', async () => {
  const { reader, stream, response } = await connected();
  reader.pauseReading();
  const client = new AbortController();
  void outcomeOf(stream.send(long, client.signal));
  const ended = stream.end(client.signal);
  expect([await outcomeOf(ended), response.writableEnded]).toEqual(['waits', false]);
  client.abort();
  expect([await outcomeOf(ended), response.writableEnded]).toEqual(['AbortError', false]);
});
