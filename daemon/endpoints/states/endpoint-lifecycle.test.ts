import { expect, test } from 'vitest';
import type { Scaling } from '../../contract/compute/endpoint-compute.ts';
import { EndpointState, EndpointStatus } from '../../contract/endpoints/endpoint.ts';
import { somebody } from '../../testing/models/some-endpoints.ts';
import { seededRandom } from '../../testing/seeded-random.ts';
import { defaultScaling } from '../description/scaling-rules.ts';
import {
  advance,
  type EndpointEvent,
  type EventType,
  initialStatus,
  isRefusal,
  type Moment,
  NO_RUNTIME_YET,
} from './endpoint-lifecycle.ts';

const other = { id: 'u2', name: 'another' };
const url = 'http://127.0.0.1:4000/endpoints/a';
const events: Record<EventType, EndpointEvent> = {
  'capacity-reserved': { type: 'capacity-reserved' },
  progress: { type: 'progress', message: 'Downloading: 40 %.' },
  healthy: { type: 'healthy', url },
  failed: { type: 'failed', message: 'The file is no GGUF.' },
  exited: { type: 'exited', message: 'It ended by SIGKILL.' },
  'update-requested': { type: 'update-requested' },
  'update-done': { type: 'update-done', url: `${url}/2` },
  'update-failed': { type: 'update-failed', message: 'No memory.' },
  idle: { type: 'idle' },
  requested: { type: 'requested' },
  'scale-to-zero': { type: 'scale-to-zero' },
  pause: { type: 'pause' },
  resume: { type: 'resume' },
  'daemon-started': { type: 'daemon-started' },
};
const eventTypes = Object.keys(events) as EventType[];

const start = new Date('2026-11-21T11:00:00.000Z');
const moment = (more: Partial<Moment> = {}): Moment => ({
  ...{ now: new Date('2026-11-21T12:00:00.000Z'), by: null, scaling: defaultScaling, waitsFor: NO_RUNTIME_YET },
  ...more,
});

/** The status of an endpoint that reached a state on the shortest way. */
function reached(state: EndpointState, scaling: Scaling = defaultScaling): EndpointStatus {
  const toRunning: EventType[] = ['capacity-reserved', 'healthy'];
  const ways: Record<EndpointState, EventType[]> = {
    pending: [],
    initializing: ['capacity-reserved'],
    running: toRunning,
    updating: [...toRunning, 'update-requested'],
    updateFailed: [...toRunning, 'update-requested', 'update-failed'],
    scaledToZero: [...toRunning, 'scale-to-zero'],
    failed: ['failed'],
    paused: ['pause'],
  };
  const at = moment({ now: start, scaling });
  const status = ways[state].reduce(
    (before, type) => statusAfter(before, events[type], at),
    initialStatus(at, somebody),
  );
  expect(status.state).toBe(state);
  return status;
}

function statusAfter(before: EndpointStatus, event: EndpointEvent, at: Moment): EndpointStatus {
  const after = advance(before, event, at);
  if (isRefusal(after)) throw new Error(after.refused);
  return after;
}

/** The result of an event: a state, `=` for no change, `!` and the reason for a refusal. */
function outcome(state: EndpointState, type: EventType, scaling: Scaling = defaultScaling): string {
  const before = reached(state, scaling);
  const after = advance(before, events[type], moment({ scaling }));
  if (isRefusal(after)) return `!${after.refused}`;
  return after === before ? '=' : after.state;
}

/** Every state with every event. */
const table: Record<EventType, Record<EndpointState, string>> = {
  'capacity-reserved': row('initializing', '=', '=', '=', '=', '=', '=', '='),
  progress: row('pending', 'initializing', '=', 'updating', '=', '=', '=', '='),
  healthy: row('=', 'running', '=', '=', '=', '=', '=', '='),
  failed: row('failed', 'failed', 'failed', 'failed', 'failed', '=', '=', '='),
  exited: row('=', 'failed', 'initializing', 'initializing', 'initializing', '=', '=', '='),
  'update-requested': row(
    ...(['pending', 'pending', 'updating', 'updating', 'updating', 'scaledToZero', 'pending', 'paused'] as const),
  ),
  'update-done': row('=', '=', '=', 'running', '=', '=', '=', '='),
  'update-failed': row('=', '=', '=', 'updateFailed', '=', '=', '=', '='),
  idle: row('=', '=', 'scaledToZero', '=', 'scaledToZero', '=', '=', '='),
  requested: row('=', '=', '=', '=', '=', 'initializing', '=', '='),
  'scale-to-zero': row(
    ...(['!cannot-sleep', '!cannot-sleep', 'scaledToZero', '!cannot-sleep', 'scaledToZero', '='] as const),
    ...(['!cannot-sleep', '!cannot-sleep'] as const),
  ),
  pause: row('paused', 'paused', 'paused', 'paused', 'paused', 'paused', 'paused', '='),
  resume: row(
    ...(['=', '=', '!already-running', '!already-running', '!already-running', 'initializing'] as const),
    ...(['pending', 'pending'] as const),
  ),
  'daemon-started': row(
    ...(['pending', 'pending', 'scaledToZero', 'scaledToZero', 'scaledToZero', '=', '=', '='] as const),
  ),
};

function row(
  ...[pending, initializing, running, updating, updateFailed, scaledToZero, failed, paused]: [
    ...[string, string, string, string, string, string, string, string],
  ]
): Record<EndpointState, string> {
  return { pending, initializing, running, updating, updateFailed, scaledToZero, failed, paused };
}

test.each(eventTypes)('%s leads from every state where the table says', (type) => {
  const outcomes = Object.fromEntries(EndpointState.options.map((state) => [state, outcome(state, type)]));
  expect(outcomes).toEqual(table[type]);
});

test('an endpoint with a minReplica above 0 sleeps on request only', () => {
  const awake = { ...defaultScaling, minReplica: 1, scaleToZeroTimeout: null };
  expect(outcome('running', 'idle', awake)).toBe('=');
  expect(outcome('running', 'scale-to-zero', awake)).toBe('scaledToZero');
  expect(outcome('scaledToZero', 'update-requested', awake)).toBe('pending');
  expect(outcome('running', 'daemon-started', awake)).toBe('pending');
});

test('an endpoint with a maxReplica of 0 is paused from the start and stays paused', () => {
  const none = moment({ scaling: { ...defaultScaling, maxReplica: 0 } });
  expect(initialStatus(none, somebody)).toMatchObject({ state: 'paused', readyReplica: 0, targetReplica: 0 });
  for (const state of EndpointState.options) {
    expect(statusAfter(reached(state), events['update-requested'], none)).toMatchObject({
      state: 'paused',
      targetReplica: 0,
    });
  }
  expect(advance(reached('paused'), events.resume, none)).toEqual({ refused: 'no-replicas' });
});

test('a new endpoint says what it waits for and who created it', () => {
  expect(initialStatus(moment({ now: start }), somebody)).toEqual({
    ...{ state: 'pending', message: NO_RUNTIME_YET, readyReplica: 0, targetReplica: 0, private: null },
    ...{ createdAt: start.toISOString(), updatedAt: start.toISOString(), createdBy: somebody, updatedBy: somebody },
  });
});

test('a runner’s events lead from pending to running, to sleep, and awake again', () => {
  const scaling = { ...defaultScaling, maxReplica: 3 };
  const seen: Partial<EndpointStatus>[] = [];
  let status = initialStatus(moment({ now: start, scaling }), somebody);
  let minutes = 0;
  for (const type of [
    ...(['capacity-reserved', 'progress', 'healthy', 'update-requested', 'progress', 'update-failed'] as const),
    ...(['update-requested', 'update-done', 'idle', 'requested', 'healthy', 'exited', 'exited'] as const),
  ]) {
    status = statusAfter(
      status,
      events[type],
      moment({ now: new Date(start.getTime() + ++minutes * 60_000), scaling }),
    );
    const { state, message, errorMessage, url: at, readyReplica, targetReplica, updatedAt } = status;
    expect(updatedAt).toBe(new Date(start.getTime() + minutes * 60_000).toISOString());
    seen.push({ state, message, errorMessage, url: at, readyReplica, targetReplica });
  }
  const starting = {
    state: 'initializing',
    errorMessage: undefined,
    url: undefined,
    readyReplica: 0,
    targetReplica: 1,
  };
  const used = { errorMessage: undefined, url, readyReplica: 1, targetReplica: 1 };
  const updating = 'Applying the change. The previous version serves requests until then.';
  const failedUpdate = {
    message: 'The change failed. The previous version serves requests.',
    errorMessage: 'No memory.',
  };
  const asleep = { errorMessage: undefined, url: undefined, readyReplica: 0, targetReplica: 0 };
  const end = 'It ended by SIGKILL.';
  expect(seen).toEqual([
    { ...starting, message: 'Starting.' },
    { ...starting, message: 'Downloading: 40 %.' },
    { ...used, state: 'running', message: 'Ready.' },
    { ...used, state: 'updating', message: updating },
    { ...used, state: 'updating', message: 'Downloading: 40 %.' },
    { ...used, state: 'updateFailed', ...failedUpdate },
    { ...used, state: 'updating', message: updating },
    { ...used, state: 'running', message: 'Ready.', url: `${url}/2` },
    { ...asleep, state: 'scaledToZero', message: 'Asleep. The next request wakes it.' },
    { ...starting, message: 'Starting.' },
    { ...used, state: 'running', message: 'Ready.' },
    { ...starting, message: end },
    { ...starting, state: 'failed', message: end, errorMessage: end },
  ]);
});

test('updatedBy names the last person who requested a change; the runner’s events keep it', () => {
  const paused = statusAfter(reached('running'), events.pause, moment({ by: other }));
  expect(paused).toMatchObject({ createdBy: somebody, updatedBy: other });
  const resumed = statusAfter(paused, events.resume, moment({ by: somebody }));
  expect(statusAfter(resumed, events['capacity-reserved'], moment())).toMatchObject({ updatedBy: somebody });
});

test('no sequence of events leads to an invalid status', () => {
  const random = seededRandom(Number(process.env['TORTURE_SEED'] ?? 20_261_122));
  const below = (limit: number) => Math.floor(random() * limit);
  const states = new Set<string>();
  for (let life = 0; life < 150; life++) {
    let clock = start.getTime();
    let scaling = defaultScaling;
    let status = initialStatus(moment({ now: start }), somebody);
    for (let turn = 0; turn < 60; turn++) {
      clock += below(10_000) - 2_000; // the clock may be set back
      const type = eventTypes[below(eventTypes.length)] as EventType;
      if (type === 'update-requested') {
        const minReplica = below(3);
        const maxReplica = minReplica + below(3);
        scaling = { ...defaultScaling, minReplica, maxReplica, scaleToZeroTimeout: minReplica > 0 ? null : 15 };
      }
      const by = random() < 0.5 ? other : null;
      const after = advance(status, events[type], moment({ now: new Date(clock), by, scaling }));
      if (isRefusal(after)) continue;
      expect(EndpointStatus.parse(after)).toEqual(after);
      const { state, readyReplica, targetReplica } = after;
      const isServed = ['running', 'updating', 'updateFailed'].includes(state);
      expect(readyReplica).toBeLessThanOrEqual(targetReplica);
      expect(targetReplica).toBeLessThanOrEqual(Math.max(1, scaling.maxReplica));
      expect(after.url !== undefined, state).toBe(isServed);
      expect(readyReplica > 0, state).toBe(isServed);
      expect(after.errorMessage !== undefined, state).toBe(['failed', 'updateFailed'].includes(state));
      expect(targetReplica === 0, state).toBe(['pending', 'paused', 'scaledToZero'].includes(state));
      expect(after.updatedAt >= status.updatedAt).toBe(true);
      expect(after).toMatchObject({ createdAt: status.createdAt, createdBy: somebody });
      states.add(state);
      status = after;
    }
  }
  expect([...states].sort()).toEqual([...EndpointState.options].sort());
});
