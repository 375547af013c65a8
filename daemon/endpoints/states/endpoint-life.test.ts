import { expect, test } from 'vitest';
import { type EndpointLifeEvent, MAX_LIFE_EVENTS } from '../../contract/endpoints/endpoint-life.ts';
import { partsNamed, pendingSince, somebody } from '../../testing/models/some-endpoints.ts';
import { changedSettings, lifeAfter, lifeWith } from './endpoint-life.ts';
import { advance, type EndpointEvent } from './endpoint-lifecycle.ts';

const start = Date.UTC(2026, 10, 21, 11);

/** Applies events, a second apart, to a new endpoint. @returns its life, without the times */
function lifeOf(...events: readonly (EndpointEvent & { readonly bySomebody?: true })[]) {
  let status = pendingSince(new Date(start).toISOString());
  let life: EndpointLifeEvent[] = lifeWith([], { at: status.createdAt, kind: 'created', cause: 'anna created it.' });
  let at = start;
  for (const { bySomebody, ...event } of events) {
    at += 1_000;
    const by = bySomebody ? somebody : null;
    const parts = partsNamed('a');
    const after = advance(status, event, { name: 'a', now: new Date(at), by, scaling: parts.compute.scaling });
    if (after === status) continue;
    life = lifeAfter({ endpoint: { ...parts, status }, life }, { after, event, by });
    status = after;
  }
  return life.slice(1).map(({ kind, cause }) => `${kind}: ${cause}`);
}
const up: readonly EndpointEvent[] = [{ type: 'starting' }, { type: 'replicas', ready: 1, target: 1 }];

test('a start, a sleep and a wake-up are recorded with their causes; progress is not', () => {
  expect(
    lifeOf(
      { type: 'starting' },
      { type: 'progress', message: 'Loading the model.' },
      { type: 'replicas', ready: 1, target: 1 },
      { type: 'idle' },
      { type: 'requested', by: { kind: 'token', name: 'lab' } },
      { type: 'requested', by: { kind: 'token', name: 'late' } },
      { type: 'replicas', ready: 1, target: 1 },
      { type: 'scale-to-zero', bySomebody: true },
      { type: 'resume', bySomebody: true },
    ),
  ).toEqual([
    'ready: It answers, 3.0 s after it was created.',
    'asleep: It was not used for 15 min.',
    'waking: A request with the token “lab” woke it.',
    'ready: It answers, 2.0 s after it was woken.',
    'asleep: somebody put it to sleep.',
    'waking: somebody woke it.',
  ]);
});

test.each([
  [{ kind: 'run', name: 'chat_reply' }, 'The app chat_reply woke it.'],
  [{ kind: 'session', name: 'dashboard' }, 'A request from the dashboard woke it.'],
  [{ kind: 'terminal', name: 'terminal' }, 'A request from the terminal woke it.'],
  [{ kind: 'start', name: 'chat_reply' }, 'The start of the app chat_reply woke it.'],
  [null, 'A request without a token woke it.'],
] as const)('a request of %o that wakes it is recorded', (by, cause) => {
  expect(lifeOf(...up, { type: 'idle' }, { type: 'requested', by }).at(-1)).toBe(`waking: ${cause}`);
});

test('failures, changes, pauses and ends of processes are recorded', () => {
  expect(
    lifeOf(
      ...up,
      { type: 'update-requested', bySomebody: true },
      { type: 'update-failed', message: 'The file is damaged. Download it again.' },
      { type: 'replicas', ready: 0, target: 1, endCause: 'Somebody removed the container.' },
      { type: 'failed', message: 'It ended five times.' },
      { type: 'pause', bySomebody: true },
      { type: 'resume', bySomebody: true },
      { type: 'daemon-started', hasServed: true },
    ).slice(1),
  ).toEqual([
    'changed: somebody changed its settings.',
    'updateFailed: The file is damaged. Download it again.',
    'starting: Somebody removed the container. It is started again.',
    'failed: It ended five times.',
    'paused: somebody paused it.',
    'starting: somebody resumed it.',
    'stopped: The daemon ended. It sleeps until it is used.',
  ]);
});

test.each([
  [{ id: 'terminal', name: 'terminal' }, 'The terminal paused it.'],
  [{ id: 'dashboard', name: 'dashboard' }, 'The dashboard paused it.'],
  [{ id: 't1', name: 'terminal' }, 'terminal paused it.'],
])('what %o does is recorded with the name that a person knows', (by, cause) => {
  const endpoint = { ...partsNamed('a'), status: pendingSince(new Date(start).toISOString()) };
  const event = { type: 'pause' } as const;
  const { scaling } = endpoint.compute;
  const after = advance(endpoint.status, event, { name: 'a', now: new Date(start), by, scaling });
  const life = lifeAfter({ endpoint, life: [] }, { after, event, by });
  expect(life.map((each) => each.cause)).toEqual([cause]);
});

test('the newest events are kept, and a long cause is cut', () => {
  let life: EndpointLifeEvent[] = [];
  const at = new Date(start).toISOString();
  for (let number = 0; number < 80; number++) life = lifeWith(life, { at, kind: 'ready', cause: String(number) });
  expect([life.length, life[0]?.cause, life.at(-1)?.cause]).toEqual([MAX_LIFE_EVENTS, '30', '79']);
  expect(lifeWith(life, { at, kind: 'failed', cause: 'x'.repeat(5_000) }).at(-1)?.cause).toHaveLength(1_001);
});

test('the changed settings are named', () => {
  const before = partsNamed('a');
  const scaling = { ...before.compute.scaling, maxReplica: 4 };
  const allowedOrigins = ['http://localhost:5173'];
  const after = { ...before, type: 'public' as const, compute: { ...before.compute, scaling }, allowedOrigins };
  expect(changedSettings(before, after)).toEqual(['who may use it', 'its scaling', 'the pages that may use it']);
  expect(changedSettings(before, before)).toEqual([]);
});
