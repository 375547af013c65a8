import { expect, test } from 'vitest';
import { EndpointTraffic } from '../contract/endpoints/endpoint-traffic.ts';
import { TrafficRecords } from './traffic-records.ts';

const named = (name: string) => ({ namespace: 'me', name });

const none: EndpointTraffic = {
  ...{ requests: 0, failed: 0, inFlight: 0, cacheHits: 0, waiting: 0 },
  ...{ latencyMs: null, firstByteMs: null, tokensPerSecond: null, lastRequestAt: null },
};
const at = '2026-11-22T10:00:00.000Z';

function trafficAt() {
  const clock = { ms: 0 };
  return { clock, traffic: new TrafficRecords({ now: () => new Date(at), elapsedMs: () => clock.ms }) };
}
const bytes = (text: string) => Buffer.from(text);

test('a streamed answer counts from its arrival to its last byte, with the tokens of its usage', () => {
  const { clock, traffic } = trafficAt();
  expect(traffic.of(named('chat'))).toEqual(none);
  const request = traffic.begin(named('chat'));
  expect(traffic.of(named('chat'))).toEqual({ ...none, requests: 1, inFlight: 1, waiting: 1, lastRequestAt: at });
  clock.ms = 1_000;
  request.sent();
  expect(traffic.of(named('chat'))).toMatchObject({ inFlight: 1, waiting: 0 });
  request.answers('text/event-stream; charset=utf-8', undefined);
  clock.ms = 1_500;
  request.data(bytes('data: {"a":1}\n\n'));
  request.data(bytes('data: {"usage":{"completion_tokens":40}}\n\ndata: [DONE]\n\n'));
  clock.ms = 3_000;
  request.ended('answered');
  request.ended('failed');
  expect(EndpointTraffic.parse(traffic.of(named('chat')))).toEqual({
    ...{ requests: 1, failed: 0, inFlight: 0, cacheHits: 0, waiting: 0, lastRequestAt: at },
    ...{ latencyMs: { p50: 3_000, p99: 3_000 }, firstByteMs: { p50: 1_500, p99: 1_500 }, tokensPerSecond: 20 },
  });
  traffic.forget(named('chat'));
  expect(traffic.of(named('chat'))).toEqual(none);
});

test.each<[string, string, readonly string[], number | null]>([
  [
    'the events of a stream without usage',
    'text/event-stream',
    ['data: {}\n\nda', 'ta: {}\n\n', 'data: [DONE]\n\n'],
    1,
  ],
  ['no token for text that looks like an event', 'text/event-stream', ['data: {"x":"data: data:"}\n\n', 'data: x'], 1],
  ['the usage at the end of JSON', 'application/json', ['{"usage":{"completion', '_tokens": 7}}'], 7],
  [
    'the usage in the last 2 kB',
    'application/json',
    ['x'.repeat(5_000), '{"completion_tokens":9}', ' '.repeat(1_000)],
    9,
  ],
  ['no usage further up', 'application/json', ['{"completion_tokens":9}', ' '.repeat(3_000)], null],
  ['no number out of all bounds', 'application/json', ['{"completion_tokens":99999999999}'], null],
  ['nothing of another type', 'text/plain', ['{"completion_tokens":9}'], null],
])('counts %s', (_what, type, chunks, tokensPerSecond) => {
  const { clock, traffic } = trafficAt();
  const request = traffic.begin(named('chat'));
  request.sent();
  request.answers(type, undefined);
  for (const chunk of chunks) request.data(bytes(chunk));
  clock.ms = 1_000;
  request.ended('answered');
  expect(traffic.of(named('chat')).tokensPerSecond).toBe(tokensPerSecond);
});

test('a failed and a cancelled request have no latency, and percentiles are of the latest answers', () => {
  const { clock, traffic } = trafficAt();
  traffic.begin(named('chat')).ended('failed');
  traffic.begin(named('chat')).ended('cancelled');
  expect(traffic.of(named('chat'))).toEqual({ ...none, requests: 2, failed: 1, lastRequestAt: at });
  for (let ms = 1; ms <= 2_000; ms++) {
    const request = traffic.begin(named('chat'));
    request.sent();
    clock.ms += ms;
    request.ended('answered');
  }
  expect(traffic.of(named('chat')).latencyMs).toEqual({ p50: 2_000 - 512 + 256, p99: 2_000 - 512 + 507 });
});

test.each([
  ['a stream that its model server cut off', 'data: {"error":{"message":"Context size has been exceeded."}}\n\n', 1],
  ['the error event of TGI', 'data:{"error":"Out of memory","error_type":"generation"}\n\n', 1],
  ['an error event before the end', 'event: error\ndata: {"type":"error"}\n\ndata: [DONE]\n\n', 1],
  ['a stream that speaks of an error', 'data: {"choices":[{"text":"\\ndata: {\\"error\\":{"}]}\n\n', 0],
])('%s is counted as it ended', (_what, chunk, failed) => {
  const { traffic } = trafficAt();
  const request = traffic.begin(named('chat'));
  request.sent();
  request.answers('text/event-stream', undefined);
  request.data(bytes('data: {"choices":[]}\n\n'));
  request.data(bytes(chunk));
  request.ended('answered');
  expect(traffic.of(named('chat'))).toMatchObject({ requests: 1, failed, inFlight: 0 });
});
