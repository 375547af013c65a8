import { expect, test } from 'vitest';
import { EndpointHistory } from '../contract/endpoints/endpoint-history.ts';
import { SPAN_MS, SPANS, TrafficHistory } from './traffic-history.ts';

const start = Date.UTC(2026, 10, 21, 11);
const none = { requests: 0, failed: 0, latencyMs: null, memoryBytes: null };

test('the last hour is given in spans, oldest first, without gaps', () => {
  const history = new TrafficHistory();
  history.arrived(start);
  history.arrived(start + 1);
  history.failed(start + 2);
  history.answered(start + 3, 250);
  history.usesMemory(start + 4, 5e6);
  history.usesMemory(start + 5, 4e6);
  history.arrived(start + 3 * SPAN_MS);
  const { everySeconds, samples } = EndpointHistory.parse(history.read(start + 4 * SPAN_MS));
  expect([everySeconds, samples.length]).toEqual([30, SPANS]);
  expect(samples.slice(-5)).toEqual([
    {
      at: '2026-11-21T11:00:00.000Z',
      ...{ requests: 2, failed: 1, latencyMs: { p50: 250, p99: 250 }, memoryBytes: 5e6 },
    },
    { at: '2026-11-21T11:00:30.000Z', ...none },
    { at: '2026-11-21T11:01:00.000Z', ...none },
    { at: '2026-11-21T11:01:30.000Z', ...none, requests: 1 },
    { at: '2026-11-21T11:02:00.000Z', ...none },
  ]);
  expect(samples[0]).toEqual({ at: '2026-11-21T10:02:30.000Z', ...none });
});

test('what is older than an hour is forgotten, and the memory is bounded by spans, not by requests', () => {
  const history = new TrafficHistory();
  for (let second = 0; second < 2 * 3_600; second++) {
    history.arrived(start + second * 1_000);
    history.answered(start + second * 1_000, second);
  }
  const { samples } = history.read(start + 2 * 3_600_000 - 1);
  expect(samples.map(({ requests }) => requests)).toEqual(Array.from({ length: SPANS }, () => 30));
  expect(samples.at(-1)?.latencyMs).toEqual({ p50: 7_184, p99: 7_199 });
  expect(history.read(start + 9 * 3_600_000).samples.every(({ requests }) => requests === 0)).toBe(true);
});

test('a clock that is set back or far ahead loses no count and breaks nothing', () => {
  const history = new TrafficHistory();
  history.arrived(start);
  history.arrived(start - 3_600_000);
  expect(history.read(start - 3_600_000).samples.at(-1)?.requests).toBe(2);
  history.arrived(start + 365 * 86_400_000);
  expect(history.read(start + 365 * 86_400_000).samples.map(({ requests }) => requests)).toEqual([
    ...Array.from({ length: SPANS - 1 }, () => 0),
    1,
  ]);
});
