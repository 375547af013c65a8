/** Events of a daemon that runs real apps, over real HTTP: a page that keeps up, one that does not, and the end of the daemon. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { DaemonEvent } from '../contract/events.ts';
import { fixtureApp, startTestDaemon, type TestDaemon } from '../testing/daemon/test-daemon.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon?.[Symbol.asyncDispose]());

async function* eventsOf(response: Response): AsyncGenerator<DaemonEvent> {
  let held = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    held += Buffer.from(chunk).toString();
    const frames = held.split('\n\n');
    held = frames.pop() as string;
    for (const frame of frames) if (frame.startsWith('data: ')) yield JSON.parse(frame.slice(6));
  }
}

test('a snapshot comes first, then changed resources as a whole', async () => {
  const leaving = new AbortController();
  const events = eventsOf(await fetch(`${daemon.url}/api/events`, { signal: leaving.signal }));
  const first = (await events.next()).value as DaemonEvent;
  expect(first).toMatchObject({
    type: 'snapshot',
    snapshot: { slot: { state: 'free' }, robot: { state: 'asleep' } },
  });
  const { now } = (first as Extract<DaemonEvent, { type: 'snapshot' }>).snapshot;
  expect(Math.abs(Date.parse(now) - Date.now())).toBeLessThan(60_000);
  const installing = daemon.install(fixtureApp('floods'));
  const seen: DaemonEvent[] = [];
  for await (const event of events) {
    seen.push(event);
    if (event.type === 'job.changed' && event.job.endedAt) break;
  }
  expect(seen.map(({ type }) => type)).toEqual(expect.arrayContaining(['job.changed', 'installed-apps.changed']));
  expect(seen.at(-1)).toMatchObject({ job: { state: 'done', appName: 'floods' } });
  await installing;
  leaving.abort();
});

test('a page that stops reading during a flood receives the gap and the latest state when it reads again', async () => {
  const { hostname, port } = new URL(daemon.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(`GET /api/events HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
  await once(socket, 'data');
  socket.pause();
  await daemon.install(fixtureApp('floods'));
  await daemon.post('/api/apps/start-app/floods');
  await vi.waitFor(async () => expect(await daemon.output()).toContain('flooded'), {
    timeout: 55_000,
    interval: 100,
  });
  await daemon.post('/api/apps/stop-current-app');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.resume();
  await vi.waitFor(() => expect(text).toContain('"lastRun":{"runId"'));
  expect(text).toContain('"type":"app-output.gap"');
  socket.destroy();
});

test('the daemon stops while pages watch and programs are connected, and leaves nothing', async () => {
  await using own = await startTestDaemon();
  const watching = await fetch(`${own.url}/api/events`);
  const socket = new WebSocket(`${own.url.replace('http', 'ws')}/ws/sdk`);
  await once(socket, 'open');
  const closed = once(socket, 'close');
  const idle = connect(Number(new URL(own.url).port), '127.0.0.1');
  idle.on('error', () => {}).resume(); // reads its end
  idle.write('GET /ws/sdk HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  await own.install(fixtureApp('ignores_sigint'));
  await own.post('/api/apps/start-app/ignores_sigint');
  await vi.waitFor(async () => expect(await own.output()).toContain('ready'));
  const stopping = own.stop();
  expect(await own.post('/api/apps/start-app/ignores_sigint')).toMatchObject({ status: 503 });
  expect(await own.post('/api/apps/install', { url: fixtureApp('polite') })).toMatchObject({ status: 503 });
  expect(await stopping, 'in order, within its cap').toBe(true);
  await closed;
  const states = [...(await watching.text()).matchAll(/"type":"robot.changed","robot":\{[^}]*?"state":"([\w-]+)"/g)];
  expect(states.at(-1)?.[1]).toBe('asleep');
  expect(await own.children()).toEqual([]);
  await sleep(0);
  await expect(fetch(own.url)).rejects.toThrow();
});
