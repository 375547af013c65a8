import { expect, test } from 'vitest';
import type { DaemonSnapshot } from '../../daemon/contract/daemon.ts';
import { daemonState, robotState, slotOf } from '../testing/daemon-states.ts';
import { afterEvent, attentionCount, type DaemonState } from './daemon-state.ts';

test('a snapshot is the whole state, without what is not shown', () => {
  const snapshot = { ...daemonState(), jobs: [], pose: null, output: null } as unknown as DaemonSnapshot;
  expect(afterEvent(null, { type: 'snapshot', snapshot })).toEqual(daemonState());
});

test('an event replaces its resource', () => {
  const slot = slotOf({ kind: 'managed-app', appName: 'dance', runId: 'r1' });
  expect(afterEvent(daemonState(), { type: 'app-slot.changed', slot })).toEqual(daemonState({ slot }));
  const robot = robotState({ state: 'asleep' });
  expect(afterEvent(daemonState(), { type: 'robot.changed', robot })).toEqual(daemonState({ robot }));
  expect(afterEvent(daemonState(), { type: 'startup-app.changed', startupApp: 'dance' })).toEqual(
    daemonState({ startupApp: 'dance' }),
  );
});

test('an event before the snapshot tells nothing', () => {
  expect(afterEvent(null, { type: 'robot.changed', robot: robotState() })).toBeNull();
});

const { daemon } = daemonState();
const crash = (seen: boolean) => ({ seen }) as DaemonState['crashes'][number];

test.each<[what: string, Partial<DaemonState>, count: number]>([
  ['nothing', {}, 0],
  ['news that nobody has seen', { notifications: { unseen: 3, revision: 1, newest: null, canMail: false } }, 3],
  ['a crash that nobody has seen, and one that somebody has', { crashes: [crash(false), crash(true)] }, 1],
  ['a robot in trouble', { robot: robotState({ state: 'error' }) }, 1],
  ['a robot without its cable', { robot: robotState({ state: 'disconnected' }) }, 1],
  ['a full disk', { daemon: { ...daemon, storageProblem: { reason: 'It is full.', action: 'Free some.' } } }, 1],
  [
    'apps without a Python',
    { daemon: { ...daemon, python: { state: 'missing', reason: 'There is none.', action: 'Install it.' } } },
    1,
  ],
])('%s counts on the badge', (_what, change, count) => {
  expect(attentionCount(daemonState(change))).toBe(count);
});
