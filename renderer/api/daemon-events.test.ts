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

test('a failed stream is reported at once, retried with growing delays, and open again after a snapshot', () => {
  const { streams, phases } = setUp();
  streams[0]?.send(first);
  streams[0]?.onerror?.();
  expect(phases.at(-1)).toEqual({ phase: 'lost', retryAt: 1_001_000, lastSeen: 1_000_000 });
  expect(streams[0]?.closed).toBe(true);

  vi.advanceTimersByTime(1_000);
  expect(streams).toHaveLength(2);
  expect(phases.at(-1)).toEqual({ phase: 'lost', retryAt: null, lastSeen: 1_000_000 });
  streams[1]?.onerror?.();
  expect(phases.at(-1)).toEqual({ phase: 'lost', retryAt: 1_003_000, lastSeen: 1_000_000 });

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

test('a stream that sends nothing counts as lost', () => {
  const { phases } = setUp();
  vi.advanceTimersByTime(10_000);
  expect(phases.at(-1)).toMatchObject({ phase: 'lost' });
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
