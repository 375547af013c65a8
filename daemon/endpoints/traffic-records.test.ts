import { expect, test } from 'vitest';
import { EndpointTraffic } from '../contract/endpoints/endpoint-traffic.ts';
import { TrafficRecords } from './traffic-records.ts';

const named = (name: string) => ({ namespace: 'me', name });

const none: EndpointTraffic = {
  ...{ requests: 0, failed: 0, inFlight: 0, cacheHits: 0, waiting: 0 },
  ...{ latencyMs: null, firstByteMs: null, tokensPerSecond: null, lastRequestAt: null },
  generatedPerSecond: { now: null, average: null },
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
    generatedPerSecond: { now: 26, average: 26 }, // 39 after the first
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

test('a stream that is under way shows how fast it is; a stall slows it down, its end counts it', () => {
  const { clock, traffic } = trafficAt();
  const speed = () => traffic.of(named('chat')).generatedPerSecond;
  const [first, second] = [traffic.begin(named('chat')), traffic.begin(named('chat'))];
  for (const request of [first, second]) {
    request.sent();
    request.answers('text/event-stream', undefined);
  }
  clock.ms = 5_000; // for the prompts
  for (const request of [first, second]) request.data(bytes('data: {}\n\n'));
  expect(speed()).toEqual({ now: null, average: null });
  clock.ms = 6_000;
  for (const request of [first, second]) request.data(bytes('data: {}\n\n'.repeat(10)));
  expect(speed()).toEqual({ now: 20, average: null });
  clock.ms = 7_000;
  expect(speed()).toEqual({ now: 10, average: null });
  first.data(bytes('data: {"usage":{"completion_tokens":31}}\n\ndata: [DONE]\n\n'));
  first.ended('answered');
  expect(speed()).toEqual({ now: 20, average: 15 }); // its model server knows better
  second.ended('cancelled');
  second.data(bytes('data: {}\n\n'));
  expect(speed()).toEqual({ now: 19.5, average: 19.5 }); // its last event may have been no token
  clock.ms = 70_000;
  expect(speed()).toEqual({ now: null, average: 19.5 });
});

const usage = '"usage":{"completion_tokens":40}';
test.each<[string, string, number | null]>([
  ['counts from its sending', `{${usage}}`, 20],
  ['counts without its prompt, where its model server tells', `{${usage},"timings":{"predicted_ms":500.0}}`, 80],
  ['is not generated before its sending', `{${usage},"timings":{"prompt_ms":1,"predicted_ms":999999}}`, 20],
  ['is not believed to take no time', `{${usage},"timings":{"predicted_ms":0}}`, null],
  ['does not count without tokens', '{"data":[0.5],"timings":{"predicted_ms":500}}', null],
])('an answer in one piece %s', (_what, body, speed) => {
  const { clock, traffic } = trafficAt();
  const request = traffic.begin(named('chat'));
  clock.ms += 1_000;
  request.sent();
  request.answers('application/json', undefined);
  clock.ms += 2_000;
  request.data(bytes(body));
  request.ended('answered');
  expect(traffic.of(named('chat')).generatedPerSecond).toEqual({ now: speed, average: speed });
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

/** The speeds that are heard of after an answer with so many tokens in so many milliseconds. */
function speedsAfter(tokens: number, ms: number, body: string | null, between = (_traffic: TrafficRecords) => {}) {
  const clock = { ms: 0 };
  const speeds: (readonly [name: string, tokensPerSecond: number])[] = [];
  const traffic = new TrafficRecords({ now: () => new Date(at), elapsedMs: () => clock.ms }, ({ name }, speed) => {
    speeds.push([name, speed]);
  });
  const request = traffic.begin(named('chat'));
  request.sent();
  clock.ms += 1_000; // for the prompt
  request.answers(body === null ? 'text/event-stream' : 'application/json', undefined);
  if (body === null) request.data(bytes('data: {}\n\n'));
  between(traffic);
  clock.ms += ms;
  request.data(bytes(body ?? `data: {"usage":{"completion_tokens":${tokens + 1}}}\n\ndata: [DONE]\n\n`));
  request.ended('answered');
  return speeds;
}

test('the speed of an answer is told without its prompt, where it had the endpoint for itself', () => {
  expect(speedsAfter(40, 2_000, null)).toEqual([['chat', 20]]);
  const timed = '{"usage":{"completion_tokens":40},"timings":{"predicted_ms":2000}}';
  expect(speedsAfter(0, 2_000, timed)).toEqual([['chat', 20]]);
  const busyElsewhere = speedsAfter(40, 2_000, null, (traffic) => void traffic.begin(named('other')));
  expect(busyElsewhere).toEqual([['chat', 20]]);
});

test.each<[string, Parameters<typeof speedsAfter>]>([
  ['that includes its prompt', [0, 2_000, '{"usage":{"completion_tokens":40}}']],
  ['of a few tokens', [15, 2_000, null]],
  ['that came at once', [40, 499, null]],
  ['beside another one', [40, 2_000, null, (traffic) => traffic.begin(named('chat')).ended('answered')]],
])('the speed of an answer %s says nothing', (_what, answer) => {
  expect(speedsAfter(...answer)).toEqual([]);
});
