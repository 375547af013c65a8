import { expect, test } from 'vitest';
import type { Scaling } from '../../contract/compute/endpoint-compute.ts';
import { EndpointState } from '../../contract/endpoints/endpoint.ts';
import { InvalidBody } from '../../shared/invalid-input.ts';
import { somebody } from '../../testing/models/some-endpoints.ts';
import { seededRandom } from '../../testing/seeded-random.ts';
import { defaultScaling } from '../description/scaling-rules.ts';
import { StoredStatus } from '../records/stored-endpoint.ts';
import { advance, type EndpointEvent, type EventType, initialStatus, type Moment } from './endpoint-lifecycle.ts';

const other = { id: 'u2', name: 'another' };
const events: Record<EventType, EndpointEvent> = {
  starting: { type: 'starting' },
  progress: { type: 'progress', message: 'Downloading: 40 %.' },
  replicas: { type: 'replicas', ready: 1, target: 1 },
  failed: { type: 'failed', message: 'The file is no GGUF.' },
  'update-requested': { type: 'update-requested' },
  'update-done': { type: 'update-done', ready: 1, target: 1 },
  'update-failed': { type: 'update-failed', message: 'No memory.' },
  idle: { type: 'idle' },
  requested: { type: 'requested' },
  'scale-to-zero': { type: 'scale-to-zero' },
  pause: { type: 'pause' },
  resume: { type: 'resume' },
  'daemon-started': { type: 'daemon-started', hasServed: true },
};
const eventTypes = Object.keys(events) as EventType[];

const start = new Date('2026-11-21T11:00:00.000Z');
const moment = (more: Partial<Moment> = {}): Moment => ({
  ...{ name: 'chat', now: new Date('2026-11-21T12:00:00.000Z'), by: null, scaling: defaultScaling },
  ...more,
});

/** The status of an endpoint that reached a state on the shortest way. */
function reached(state: EndpointState, scaling: Scaling = defaultScaling): StoredStatus {
  const toRunning: EventType[] = ['starting', 'replicas'];
  const ways: Record<EndpointState, EventType[]> = {
    pending: [],
    initializing: ['starting'],
    running: toRunning,
    updating: [...toRunning, 'update-requested'],
    updateFailed: [...toRunning, 'update-requested', 'update-failed'],
    scaledToZero: [...toRunning, 'scale-to-zero'],
    failed: ['failed'],
    paused: ['pause'],
  };
  const at = moment({ now: start, scaling });
  const status = ways[state].reduce((before, type) => advance(before, events[type], at), initialStatus(at, somebody));
  expect(status.state).toBe(state);
  return status;
}

/** The result of an event: a state, `=` for no change, or the sentence of a refusal. */
function outcome(state: EndpointState, type: EventType, scaling: Scaling = defaultScaling): string {
  const before = reached(state, scaling);
  try {
    const after = advance(before, events[type], moment({ scaling }));
    return after === before ? '=' : after.state;
  } catch (error) {
    if (!(error instanceof InvalidBody)) throw error;
    expect(error.issues).toEqual([{ path: [], message: error.message }]);
    return error.message;
  }
}

const cannotSleep = (why: string) => `The endpoint "chat" cannot sleep now: ${why}.`;
const notYet = cannotSleep('it is not running yet');
const runs = 'The endpoint "chat" is already running.';

/** Every state with every event. */
const table: Record<EventType, Record<EndpointState, string>> = {
  starting: row('initializing', '=', '=', '=', '=', '=', '=', '='),
  progress: row('pending', 'initializing', '=', 'updating', '=', '=', '=', '='),
  replicas: row('=', 'running', '=', '=', '=', '=', '=', '='),
  failed: row('failed', 'failed', 'failed', 'failed', 'failed', '=', '=', '='),
  'update-requested': row(
    ...(['pending', 'pending', 'updating', 'updating', 'updating', 'scaledToZero', 'pending', 'paused'] as const),
  ),
  'update-done': row('=', '=', '=', 'running', '=', '=', '=', '='),
  'update-failed': row('=', '=', '=', 'updateFailed', '=', '=', '=', '='),
  idle: row('=', '=', 'scaledToZero', '=', 'scaledToZero', '=', '=', '='),
  requested: row('=', '=', '=', '=', '=', 'initializing', '=', '='),
  'scale-to-zero': row(
    ...([notYet, notYet, 'scaledToZero', cannotSleep('it is being updated'), 'scaledToZero', '='] as const),
    ...([cannotSleep('it has failed'), cannotSleep('it is paused')] as const),
  ),
  pause: row('paused', 'paused', 'paused', 'paused', 'paused', 'paused', 'paused', '='),
  resume: row(...(['=', '=', runs, runs, runs, 'initializing'] as const), ...(['pending', 'pending'] as const)),
  'daemon-started': row(
    ...(['scaledToZero', 'scaledToZero', 'scaledToZero', 'scaledToZero', 'scaledToZero', '=', '=', '='] as const),
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
    expect(advance(reached(state), events['update-requested'], none)).toMatchObject({
      state: 'paused',
      targetReplica: 0,
    });
  }
  expect(outcome('paused', 'resume', none.scaling)).toBe(
    'The endpoint "chat" cannot start: its maxReplica is 0. Raise it first.',
  );
});

test('a new endpoint says what it waits for and who created it', () => {
  expect(initialStatus(moment({ now: start }), somebody)).toEqual({
    ...{ state: 'pending', message: 'Waiting to start.', readyReplica: 0, targetReplica: 0, private: null },
    ...{ createdAt: start.toISOString(), updatedAt: start.toISOString(), createdBy: somebody, updatedBy: somebody },
  });
});

test('one replica of several may end and come back while the others serve', () => {
  const scaling = { ...defaultScaling, minReplica: 2, maxReplica: 2, scaleToZeroTimeout: null };
  let status = reached('initializing', scaling);
  const seen = [1, 2, 1, 0, 0, 2].map((ready) => {
    status = advance(status, { type: 'replicas', ready, target: 2 }, moment({ scaling }));
    return [status.state, status.readyReplica, status.targetReplica, status.message];
  });
  expect(seen).toEqual([
    ['running', 1, 2, 'Ready: 1 of 2 replicas.'],
    ['running', 2, 2, 'Ready.'],
    ['running', 1, 2, 'Ready: 1 of 2 replicas.'],
    ['initializing', 0, 2, 'Starting again.'],
    ['initializing', 0, 2, 'Starting again.'],
    ['running', 2, 2, 'Ready.'],
  ]);
});

test('the same number of replicas is no news', () => {
  const running = reached('running');
  expect(advance(running, { type: 'replicas', ready: 1, target: 1 }, moment())).toBe(running);
});

test('an endpoint whose first start was interrupted by the end of the daemon is started again', () => {
  const first = { type: 'daemon-started', hasServed: false } as const;
  for (const state of ['pending', 'initializing'] as const) {
    expect(advance(reached(state), first, moment()).state).toBe('pending');
  }
});

test('the supervisor’s events lead from pending to running, to sleep, and awake again', () => {
  const seen: Partial<StoredStatus>[] = [];
  let status = initialStatus(moment({ now: start }), somebody);
  let minutes = 0;
  const none: EndpointEvent = { type: 'replicas', ready: 0, target: 1 };
  const { starting: begins, progress, replicas, idle, requested, failed } = events;
  const [requestUpdate, endUpdate] = [events['update-requested'], events['update-done']];
  for (const event of [
    ...[begins, progress, replicas, requestUpdate, progress, events['update-failed'], requestUpdate, endUpdate],
    ...[idle, requested, replicas, none, failed],
  ]) {
    status = advance(status, event, moment({ now: new Date(start.getTime() + ++minutes * 60_000) }));
    const { state, message, errorMessage, readyReplica, targetReplica, updatedAt } = status;
    expect(updatedAt).toBe(new Date(start.getTime() + minutes * 60_000).toISOString());
    seen.push({ state, message, errorMessage, readyReplica, targetReplica });
  }
  const starting = { state: 'initializing', errorMessage: undefined, readyReplica: 0, targetReplica: 1 };
  const used = { errorMessage: undefined, readyReplica: 1, targetReplica: 1 };
  const updating = 'Applying the update. The previous version serves requests until then.';
  const failedUpdate = {
    message: 'The update failed. The previous version serves requests.',
    errorMessage: 'No memory.',
  };
  const asleep = { errorMessage: undefined, readyReplica: 0, targetReplica: 0 };
  expect(seen).toEqual([
    { ...starting, message: 'Starting.' },
    { ...starting, message: 'Downloading: 40 %.' },
    { ...used, state: 'running', message: 'Ready.' },
    { ...used, state: 'updating', message: updating },
    { ...used, state: 'updating', message: 'Downloading: 40 %.' },
    { ...used, state: 'updateFailed', ...failedUpdate },
    { ...used, state: 'updating', message: updating },
    { ...used, state: 'running', message: 'Ready.' },
    { ...asleep, state: 'scaledToZero', message: 'Asleep. The next request wakes it.' },
    { ...starting, message: 'Starting.' },
    { ...used, state: 'running', message: 'Ready.' },
    { ...starting, message: 'Starting again.' },
    { ...starting, state: 'failed', message: 'The file is no GGUF.', errorMessage: 'The file is no GGUF.' },
  ]);
});

test('updatedBy names the last person who requested a change; the runner’s events keep it', () => {
  const paused = advance(reached('running'), events.pause, moment({ by: other }));
  expect(paused).toMatchObject({ createdBy: somebody, updatedBy: other });
  const resumed = advance(paused, events.resume, moment({ by: somebody }));
  expect(advance(resumed, events.starting, moment())).toMatchObject({ updatedBy: somebody });
});

test('no sequence of events leads to an invalid status', () => {
  const random = seededRandom(Number(process.env['TORTURE_SEED'] ?? 20_261_122));
  const below = (limit: number) => Math.floor(random() * limit);
  const states = EndpointState.options;
  const left = new Set<EndpointState>();
  for (let life = 0; life < 20 * states.length; life++) {
    let clock = start.getTime();
    let scaling = defaultScaling;
    // In each state in turn: some seeds lead to the rarest ones in no life.
    let status = reached(states[life % states.length] as EndpointState);
    for (let turn = 0; turn < 60; turn++) {
      clock += below(10_000) - 2_000; // the clock may be set back
      const type = eventTypes[below(eventTypes.length)] as EventType;
      if (type === 'update-requested') {
        const minReplica = below(3);
        const maxReplica = minReplica + below(3);
        scaling = { ...defaultScaling, minReplica, maxReplica, scaleToZeroTimeout: minReplica > 0 ? null : 15 };
      }
      const by = random() < 0.5 ? other : null;
      let after: StoredStatus;
      try {
        after = advance(status, events[type], moment({ now: new Date(clock), by, scaling }));
      } catch {
        continue; // refused
      }
      expect(StoredStatus.parse(after)).toEqual(after);
      const { state, readyReplica, targetReplica } = after;
      const isServed = ['running', 'updating', 'updateFailed'].includes(state);
      expect(readyReplica).toBeLessThanOrEqual(targetReplica);
      expect(targetReplica).toBeLessThanOrEqual(Math.max(1, scaling.maxReplica));
      expect(readyReplica > 0, state).toBe(isServed);
      expect(after.errorMessage !== undefined, state).toBe(['failed', 'updateFailed'].includes(state));
      expect(targetReplica === 0, state).toBe(['pending', 'paused', 'scaledToZero'].includes(state));
      expect(after.updatedAt >= status.updatedAt).toBe(true);
      expect(after).toMatchObject({ createdAt: status.createdAt, createdBy: somebody });
      left.add(status.state);
      status = after;
    }
  }
  expect([...left].sort()).toEqual([...states].sort());
});
