import { expect, test, vi } from 'vitest';
import type { EndpointLog } from '../../../daemon/contract/endpoints/endpoint-log.ts';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { MAX_CHARACTERS, MAX_LINES } from '../apps/output-buffer.ts';

const of = { namespace: 'lab', name: 'chat' };

/** The log of an endpoint with `last` lines, as the daemon pages it. */
function logOf(given: { last: number; logId: string }, more = '') {
  return ({ query: { after } }: { query: { after?: number } }): EndpointLog => {
    const { last, logId } = given;
    const from = after ?? Math.max(0, last - 1_000);
    const lines = Array.from({ length: Math.min(1_000, last - from) }, (_, at) => ({
      ...{ number: from + at + 1, text: `line ${from + at + 1}${more}`, truncated: false, isError: false },
      at: '2026-11-21T11:00:00.000Z',
    }));
    return { logId, firstKept: 1, last, kept: last, matches: last, before: from, lines };
  };
}

test('an open log has the newest lines, follows their growth, and stays bounded', async () => {
  const given = { last: 10, logId: 'a' };
  const { store, calls } = testDashboard({ getEndpointLog: logOf(given) });
  const shown = () => store.getState().openLog;
  const close = store.getState().openEndpointLog(of);
  await vi.waitFor(() => expect(shown()?.lines).toHaveLength(10));
  const grow = (last: number) => {
    given.last = last;
    store.getState().apply({ type: 'endpoint-log.grew', ...of, last });
  };
  grow(12);
  await vi.waitFor(() => expect(shown()?.lines.at(-1)?.text).toBe('line 12'));
  expect(calls.at(-1)?.input).toMatchObject({ params: of, query: { after: 10 } });
  grow(100_000);
  await vi.waitFor(() => expect(shown()?.lines.at(-1)?.number).toBe(100_000));
  expect(shown()?.lines).toHaveLength(MAX_LINES);
  expect(calls.length).toBeLessThan(8);
  for (const other of [
    { ...of, name: 'other' },
    { ...of, namespace: 'home' },
  ])
    store.getState().apply({ type: 'endpoint-log.grew', ...other, last: 5 });
  expect(shown()?.newest).toBe(100_000);
  close();
  expect(shown()).toBeNull();
});

test('long lines are bounded by their characters', async () => {
  const { store } = testDashboard({ getEndpointLog: logOf({ last: 1_000, logId: 'a' }, 'x'.repeat(8_000)) });
  store.getState().openEndpointLog(of);
  await vi.waitFor(() => expect(store.getState().openLog?.lines.at(-1)?.number).toBe(1_000));
  const { lines = [] } = store.getState().openLog ?? {};
  const characters = lines.reduce((sum, { text }) => sum + text.length, 0);
  expect(characters).toBeLessThanOrEqual(MAX_CHARACTERS);
  expect(characters).toBeGreaterThan(MAX_CHARACTERS - 10_000);
});

test('another log, after a restart of the daemon, replaces the lines', async () => {
  const given = { last: 500, logId: 'a' };
  const { store } = testDashboard({ getEndpointLog: logOf(given) });
  store.getState().openEndpointLog(of);
  await vi.waitFor(() => expect(store.getState().openLog?.lines).toHaveLength(500));
  Object.assign(given, { last: 3, logId: 'b' });
  store.getState().apply({ type: 'endpoint-log.grew', ...of, last: 3 });
  await vi.waitFor(() => expect(store.getState().openLog).toMatchObject({ logId: 'b', newest: 3 }));
  expect(store.getState().openLog?.lines).toHaveLength(3);
});

test('a log that cannot be loaded says why, and is loaded again with the next lines', async () => {
  let fails = true;
  const load = logOf({ last: 2, logId: 'a' });
  const answer = (input: Parameters<typeof load>[0]) => {
    if (fails) throw new Error('It is damaged.');
    return load(input);
  };
  const { store } = testDashboard({ getEndpointLog: answer });
  store.getState().openEndpointLog(of);
  await vi.waitFor(() => expect(store.getState().openLog?.error).not.toBeNull());
  fails = false;
  store.getState().apply({ type: 'endpoint-log.grew', ...of, last: 2 });
  await vi.waitFor(() => expect(store.getState().openLog).toMatchObject({ error: null, lines: { length: 2 } }));
});
