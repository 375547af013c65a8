import { expect, test } from 'vitest';
import type { EndpointFailure } from '../contract/endpoints/endpoint-report.ts';
import { partsNamed, pendingSince } from '../testing/models/some-endpoints.ts';
import { endpointNews, pastOf } from './endpoint-news.ts';
import { type EndpointRecord, neverServed } from './records/endpoint-record.ts';
import type { StoredStatus } from './records/stored-endpoint.ts';

const now = new Date('2026-11-21T11:00:00.000Z');
const failure = { message: 'The file is damaged.', action: 'Download it again.' } as EndpointFailure;
const errorMessage = 'The file is damaged. Download it again.';

type State = StoredStatus['state'];
/** A state; `+` a ready replica, `!` a failure on record. */
type Step = State | 'running+' | 'running0' | 'updating+' | 'updateFailed!' | 'failed!' | 'scaledToZero!';

function recordIn(step: Step, hasServed: boolean): EndpointRecord {
  const state = step.replace(/[+!0]$/, '') as State;
  const isReady = step.endsWith('+') || state === 'updateFailed';
  const status: StoredStatus = { ...pendingSince(now.toISOString()), state, readyReplica: isReady ? 1 : 0 };
  const withError = state === 'failed' || state === 'updateFailed' ? { ...status, errorMessage } : status;
  return {
    namespace: 'lab',
    endpoint: { ...partsNamed('chat', { notifications: { email: true, push: false } }), status: withError },
    reasons: [],
    sealed: { variables: {}, imagePassword: null },
    ...neverServed,
    hasServed,
    failure: step.endsWith('!') ? failure : null,
    life: [],
  };
}

/** The news of an endpoint that goes through these states, the first as found. */
function newsOf(first: Step, rest: readonly Step[], hasServed = false): string[] {
  let served = hasServed;
  let past = pastOf(recordIn(first, served));
  const titles: string[] = [];
  for (const step of rest) {
    served ||= step === 'running+';
    const next = endpointNews(past, recordIn(step, served), now);
    past = next.past;
    if (next.news) titles.push(next.news.title);
  }
  return titles;
}

const starts = ['initializing', 'running+'] as const;

test.each<[string, Step, readonly Step[], boolean, string[]]>([
  ['the first start', 'pending', [...starts, 'running+'], false, ['lab/chat runs.']],
  ['a first start that fails', 'pending', ['initializing', 'failed!', 'failed!'], false, ['lab/chat failed.']],
  ['sleep and wake', 'running+', ['scaledToZero', ...starts, 'scaledToZero', ...starts], true, []],
  ['a crash and a restart', 'running+', ['initializing', 'running+', 'running+'], true, []],
  ['too many crashes', 'running+', ['initializing', 'failed!'], true, ['lab/chat failed.']],
  ['a failure that a person ends', 'failed!', ['pending', ...starts], true, ['lab/chat runs again.']],
  ['a failed wake', 'scaledToZero', ['initializing', 'failed!'], true, ['lab/chat failed.']],
  ['a change', 'running+', ['updating', 'updating+', 'running+'], true, ['lab/chat runs with its update.']],
  [
    ...(['a change that fails, then one that does not', 'running+'] as const),
    ['updating+', 'updateFailed!', 'updateFailed!', 'updating', 'running+', 'running+'],
    ...([true, ['lab/chat could not be updated.', 'lab/chat runs with its update.']] as [boolean, string[]]),
  ],
  [
    ...(['sleep after a failed change', 'updateFailed!'] as const),
    ['scaledToZero!', 'scaledToZero!', ...starts],
    ...([true, ['lab/chat fell asleep after a failure.', 'lab/chat runs again.']] as [boolean, string[]]),
  ],
  ['a person puts it to sleep after a failed change', 'updateFailed!', ['scaledToZero'], true, []],
  ['pause and resume', 'running+', ['paused', 'pending', ...starts], true, []],
  ['pause of one that failed', 'failed!', ['paused', 'pending', ...starts], true, ['lab/chat runs again.']],
  ['a restart of the daemon', 'pending', starts, true, []],
  ['a restart of the daemon, after which it fails', 'pending', ['initializing', 'failed!'], true, ['lab/chat failed.']],
  ['a running state without a ready replica', 'pending', ['initializing', 'running0'], false, []],
])('%s', (_what, first, rest, hasServed, expected) => {
  expect(newsOf(first, rest, hasServed)).toEqual(expected);
});

test('news say who, why, and which channels the endpoint has', () => {
  const { news } = endpointNews(pastOf(recordIn('initializing', true)), recordIn('failed!', true), now);
  expect(news).toEqual({
    kind: 'endpoint-failed',
    endpoint: { namespace: 'lab', name: 'chat' },
    title: 'lab/chat failed.',
    text: errorMessage,
    at: now,
    isFailure: true,
    isKnown: false,
    wants: { email: true, push: false },
  });
});

test('channels that are switched on right after a failure hear of it, later ones do not', () => {
  const failed = recordIn('failed!', true);
  const without = { ...failed, endpoint: { ...failed.endpoint, notifications: { email: false, push: false } } };
  const { news } = endpointNews(pastOf(without), failed, now);
  expect(news).toMatchObject({ kind: 'endpoint-failed', isKnown: true, wants: { email: true, push: false } });
  expect(endpointNews(pastOf(failed), failed, now).news).toBeNull();
  const later = new Date(now.getTime() + 120_000);
  expect(endpointNews(pastOf(without), failed, later).news).toBeNull();
});
