import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DaemonEvent } from '../../daemon/contract/events.ts';
import { snapshot } from '../testing/fixtures.ts';
import { type Connection, DaemonEvents, type EventStream } from './daemon-events.ts';

class FakeStream implements EventStream {
  onmessage: EventStream['onmessage'] = null;
  onerror: EventStream['onerror'] = null;
  closed = false;
  close() {
    this.closed = true;
  }
  send(event: unknown) {
    this.onmessage?.({ data: typeof event === 'string' ? event : JSON.stringify(event) });
  }
}

function setUp() {
  const streams: FakeStream[] = [];
  const phases: Connection[] = [];
  const received: DaemonEvent[] = [];
  const page = Object.assign(new EventTarget(), { hidden: false }) as EventTarget & { hidden: boolean };
  const events = new DaemonEvents(
    () => {
      const stream = new FakeStream();
      streams.push(stream);
      return stream;
    },
    page as unknown as Document,
  );
  events.start({ apply: (event) => void received.push(event), setConnection: (phase) => void phases.push(phase) });
  const show = (visible: boolean) => {
    page.hidden = !visible;
    page.dispatchEvent(new Event('visibilitychange'));
  };
  return { streams, phases, received, events, show };
}

/** Sends a heartbeat every 2 s. */
function beat(stream: FakeStream | undefined, forMs: number): void {
  for (let passed = 0; passed < forMs; passed += 2_000) {
    vi.advanceTimersByTime(2_000);
    stream?.send({ type: 'heartbeat' });
  }
}

const first = { type: 'snapshot', snapshot: snapshot() } as const;

beforeEach(() => {
  vi.useFakeTimers();
  vi.setSystemTime(1_000_000);
});
afterEach(() => vi.useRealTimers());

test('the connection is open after the snapshot, not before', () => {
  const { streams, phases, received } = setUp();
  expect(phases).toEqual([]);
  streams[0]?.send(first);
  expect(received).toEqual([first]);
  expect(phases).toEqual([{ phase: 'open' }]);
});

test('a daemon that is gone is reported at once, retried with growing delays, and open again after a snapshot', () => {
  const { streams, phases } = setUp();
  streams[0]?.onerror?.();
  expect(phases.at(-1)).toEqual({ phase: 'lost', retryAt: 1_001_000, lastSeen: null });
  expect(streams[0]?.closed).toBe(true);

  vi.advanceTimersByTime(1_000);
  expect(streams).toHaveLength(2);
  expect(phases.at(-1)).toEqual({ phase: 'lost', retryAt: null, lastSeen: null });
  streams[1]?.onerror?.();
  expect(phases.at(-1)).toEqual({ phase: 'lost', retryAt: 1_003_000, lastSeen: null });

  vi.advanceTimersByTime(2_000);
  streams[2]?.send(first);
  expect(phases.at(-1)).toEqual({ phase: 'open' });
});

test('retryNow ends the wait, once', () => {
  const { streams, events } = setUp();
  streams[0]?.onerror?.();
  events.retryNow();
  events.retryNow();
  expect(streams).toHaveLength(2);
  vi.advanceTimersByTime(5_000);
  expect(streams).toHaveLength(2);
});

test('reopen opens another stream in place of the one that is open, without an alarm', () => {
  const { streams, phases, events } = setUp();
  streams[0]?.send(first);
  events.reopen();
  streams[1]?.send(first);
  expect(streams).toHaveLength(2);
  expect(phases).toEqual([{ phase: 'open' }]);
});

test('a stream that broke after a while is opened again without an alarm, unless that fails too', () => {
  const { streams, phases } = setUp();
  streams[0]?.send(first);
  beat(streams[0], 4_000);
  streams[0]?.onerror?.();
  streams[1]?.send(first);
  expect(phases).toEqual([{ phase: 'open' }]);

  beat(streams[1], 4_000);
  streams[1]?.onerror?.();
  streams[2]?.onerror?.();
  expect(phases.at(-1)).toEqual({ phase: 'lost', retryAt: 1_009_000, lastSeen: 1_008_000 });
});

test('a stream that ends with its session is opened again without an alarm', () => {
  const { streams, phases } = setUp();
  streams[0]?.send(first);
  streams[0]?.send({ type: 'session.ended' });
  streams[0]?.onerror?.();
  expect(streams).toHaveLength(2);
  streams[1]?.send(first);
  expect(phases).toEqual([{ phase: 'open' }]);
  streams[1]?.onerror?.();
  expect(phases.at(-1)).toMatchObject({ phase: 'lost' });
});

test('a daemon that ends each stream at once is not called without a pause', () => {
  const { streams, phases } = setUp();
  streams[0]?.send(first);
  streams[0]?.onerror?.();
  expect(streams).toHaveLength(1);
  expect(phases.at(-1)).toMatchObject({ phase: 'lost', retryAt: 1_001_000 });
});

test('a daemon that sends nothing, not even a heartbeat, is silent after 6 s, until its next message', () => {
  const { streams, phases, received } = setUp();
  streams[0]?.send(first);
  beat(streams[0], 60_000);
  expect(phases).toEqual([{ phase: 'open' }]);
  vi.advanceTimersByTime(5_900);
  expect(phases).toEqual([{ phase: 'open' }]);
  vi.advanceTimersByTime(600);
  expect(phases.at(-1)).toEqual({ phase: 'silent', lastSeen: 1_060_000 });
  vi.advanceTimersByTime(20_000);
  streams[0]?.send({ type: 'heartbeat' });
  expect(phases.at(-1)).toEqual({ phase: 'open' });
  expect(streams).toHaveLength(1);
  expect(received).toEqual([first]); // no heartbeat reaches the store
});

test('any message counts as a heartbeat, also one that the page does not understand', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { streams, phases } = setUp();
  streams[0]?.send(first);
  for (const message of [{ type: 'robot.pose' }, { type: 'of.tomorrow' }, '{"half', '42', 'null', '""']) {
    vi.advanceTimersByTime(5_000);
    streams[0]?.send(message);
  }
  vi.advanceTimersByTime(5_000);
  expect(phases).toEqual([{ phase: 'open' }]);
  warn.mockRestore();
});

test('a daemon that accepts the connection and then sends nothing is silent, not open, until its snapshot', () => {
  const { streams, phases } = setUp();
  vi.advanceTimersByTime(6_500);
  expect(phases).toEqual([{ phase: 'silent', lastSeen: null }]);
  streams[0]?.send({ type: 'heartbeat' });
  expect(phases).toHaveLength(1);
  streams[0]?.send(first);
  expect(phases.at(-1)).toEqual({ phase: 'open' });
});

test('a stream that is silent for a minute is opened again, since its connection may be broken', () => {
  const { streams, phases } = setUp();
  streams[0]?.send(first);
  vi.advanceTimersByTime(61_000);
  expect(streams).toHaveLength(2);
  expect(streams[0]?.closed).toBe(true);
  expect(phases.at(-1)).toMatchObject({ phase: 'silent' });
  streams[1]?.send(first);
  expect(phases.at(-1)).toEqual({ phase: 'open' });
});

test('a daemon that is killed while it is silent is lost, and its successor is found', () => {
  const { streams, phases } = setUp();
  streams[0]?.send(first);
  vi.advanceTimersByTime(8_000);
  streams[0]?.onerror?.();
  expect(phases.at(-1)).toMatchObject({ phase: 'silent' });
  streams[1]?.onerror?.();
  expect(phases.at(-1)).toMatchObject({ phase: 'lost' });
  vi.advanceTimersByTime(1_000);
  streams[2]?.send(first);
  expect(phases.at(-1)).toEqual({ phase: 'open' });
});

test('a hidden tab closes its stream and opens a new one when visible again', () => {
  const { streams, phases, show } = setUp();
  streams[0]?.send(first);
  show(false);
  expect(streams[0]?.closed).toBe(true);
  expect(phases.at(-1)).toEqual({ phase: 'paused' });
  show(true);
  streams[1]?.send(first);
  expect(phases.at(-1)).toEqual({ phase: 'open' });
});

test('a tab that is shown again tells of an attempt that takes longer than a moment, and of silence', () => {
  const { streams, phases, show } = setUp();
  streams[0]?.send(first);
  show(false);
  vi.advanceTimersByTime(3_600_000);
  expect(phases.at(-1)).toEqual({ phase: 'paused' });
  show(true);
  vi.advanceTimersByTime(900);
  expect(phases.at(-1)).toEqual({ phase: 'paused' });
  vi.advanceTimersByTime(200);
  expect(phases.at(-1)).toEqual({ phase: 'connecting', lastSeen: 1_000_000 });
  vi.advanceTimersByTime(5_500);
  expect(phases.at(-1)).toEqual({ phase: 'silent', lastSeen: 1_000_000 });
  show(false);
  expect(phases.at(-1)).toEqual({ phase: 'paused' });
  vi.advanceTimersByTime(60_000);
  expect(phases.at(-1)).toEqual({ phase: 'paused' });
});

test('a line that is not JSON does not end the stream', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { streams, received } = setUp();
  streams[0]?.send('{"type":');
  streams[0]?.send('42');
  streams[0]?.send(first);
  expect(received).toEqual([first]);
  expect(warn).toHaveBeenCalledTimes(1);
  warn.mockRestore();
});
