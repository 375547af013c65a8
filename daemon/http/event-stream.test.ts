import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import express from 'express';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { DaemonEvent } from '../contract/events.ts';
import type { Job } from '../contract/jobs.ts';
import type { RobotPose } from '../contract/robot/robot.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { EventStream } from './event-stream.ts';

const free: DaemonEvent = { type: 'app-slot.changed', slot: { state: 'free', lastRun: null } };
const job: Job = {
  id: '',
  kind: 'install-app',
  subject: 'x'.repeat(2_000),
  appName: null,
  state: 'running',
  steps: [],
  detail: null,
  transfer: null,
  cancelling: false,
  failure: null,
  createdAt: '2026-01-01T00:00:00Z',
  startedAt: null,
  endedAt: null,
  logTail: [],
};
const changed = (id: number, detail: string): DaemonEvent => ({
  type: 'job.changed',
  job: { ...job, id: `job-${id}`, detail },
});
const job1 = changed(1, 'one');
const pose: RobotPose = {
  joints: { bodyYaw: 0, stewart: [0, 0, 0, 0, 0, 0], antennas: [0, 0] },
  head: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
  speedLimited: false,
  timeS: 0,
};
const line = (number: number): DaemonEvent => ({
  type: 'app-output.appended',
  runId: 'r1',
  appName: 'floods',
  lines: [{ number, stream: 'stdout', text: job.subject, truncated: false, at: '2026-01-01T00:00:00Z' }],
});

/** A stream with one reader, which has got its first event. @param types of the events that it wants; omitted: all */
async function connected(types?: DaemonEvent['type'][]) {
  const clock = manualClock();
  const stream = new EventStream(clock, () => free);
  stream.open();
  const app = express().get('/', (_request, response) => stream.attach(response, { session: null, types }));
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
    stream.close();
    server.closeAllConnections();
    server.close();
  });
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  return { clock, stream, socket };
}

test('for a slow reader one frame a resource is queued, so that it gets the latest of each', async () => {
  const { stream, socket } = await connected();
  socket.pause();

  const [client] = [...stream.clients];
  let mostWaiting = 0;
  let mostQueued = 0;
  for (let turn = 0; turn < 30_000; turn++) {
    stream.publish(changed(turn % 3, `turn ${turn}`));
    stream.publish(line(turn + 1));
    if (turn % 500 === 0) await nextTurn();
    mostWaiting = Math.max(mostWaiting, client?.waiting ?? 0);
    mostQueued = Math.max(mostQueued, client?.queuedBytes ?? 0);
  }
  expect(mostWaiting).toBe(4); // three jobs and one gap
  expect(mostQueued).toBeLessThan(256 * 1024);

  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.resume();
  await vi.waitFor(() => expect(text).toMatch(/"app-output\.gap".*"to":30000/));
  for (const turn of [29_997, 29_998, 29_999]) expect(text).toContain(`turn ${turn}`);
  expect(client?.waiting).toBe(0);
});

test('a reader that reads nothing for half a minute is disconnected', async () => {
  const { clock, stream } = await blocked();
  await clock.advance(29_000);
  expect(stream.clients.size).toBe(1);
  await clock.advance(17_000);
  await vi.waitFor(() => expect(stream.clients.size).toBe(0));
});

test('every reader gets a heartbeat each 2 s, as an event that a page can see', async () => {
  const { clock, stream, socket } = await connected();
  const events: unknown[] = [];
  socket.on('data', (chunk) => {
    for (const [, data = ''] of String(chunk).matchAll(/^data: (.*)$/gm)) events.push(JSON.parse(data));
  });
  await clock.advance(1_999);
  stream.publish(free);
  await clock.advance(1);
  await clock.advance(4_000);
  stream.publish(job1);
  await vi.waitFor(() => expect(events).toHaveLength(5));
  const heartbeat = { type: 'heartbeat' };
  expect(events).toEqual([free, heartbeat, heartbeat, heartbeat, job1]);
});

test('a reader that is blocked gets no heartbeats: they would fill the memory', async () => {
  const { clock, client } = await blocked();
  const queued = client?.queuedBytes;
  await clock.advance(28_000);
  expect(client?.queuedBytes).toBe(queued);
  expect(client?.waiting).toBe(1);
});

test('an event that no reader wants is not serialized, and a reader of some types is no page', async () => {
  const { clock, stream, socket } = await connected(['job.changed']);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  let serialized = 0;
  const counted = <T extends object>(value: T): T =>
    Object.assign(value, {
      toJSON: () => {
        serialized += 1;
        return {};
      },
    });
  stream.publish({ type: 'robot.pose', pose: counted({ ...pose }) });
  stream.publish(counted(line(1)));
  expect(serialized).toBe(0);
  stream.publish({ type: 'job.changed', job: counted({ ...job }) });
  await clock.advance(2_000);
  const sent = () => [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));
  await vi.waitFor(() => expect(sent()).toEqual([{ type: 'job.changed', job: {} }, { type: 'heartbeat' }]));
  expect([serialized, stream.hasPages]).toEqual([1, false]);
});

test('a reader of everything is a page', async () => {
  const { stream } = await connected();
  expect(stream.hasPages).toBe(true);
});

/** A reader that reads nothing, so that an event waits for it. */
async function blocked() {
  const { clock, stream, socket } = await connected();
  socket.pause();
  const [client] = [...stream.clients];
  while (client?.waiting === 0) {
    stream.publish(changed(1, 'more'));
    await nextTurn();
  }
  return { clock, stream, client };
}
