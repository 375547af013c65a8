import { expect, test } from 'vitest';
import { DaemonError } from '../../daemon/client/daemon-error.ts';
import type { DaemonEvent } from '../../daemon/contract/events.ts';
import { isPending, refusalOf } from '../slices/base/commands.ts';
import { testDashboard } from '../testing/fake-daemon.ts';
import { installedApp, installJob, pose, slotHeldBy, snapshot } from '../testing/fixtures.ts';

const busy = new DaemonError(409, 'An app is already running: "dance". Stop the current app first.');

test('a snapshot is applied, and a second one replaces it', () => {
  const { store } = testDashboard({}, { installedApps: [installedApp('wave')], jobs: [installJob('wave')] });
  expect(store.getState()).toMatchObject({ installedApps: [{ name: 'wave' }], jobs: [{ id: 'job-wave' }] });
  store.getState().apply({ type: 'snapshot', snapshot: snapshot({ installedApps: [installedApp('dance')] }) });
  expect(store.getState()).toMatchObject({ installedApps: [{ name: 'dance' }], jobs: [] });
});

test('applying an event twice changes nothing more', () => {
  const events: DaemonEvent[] = [
    { type: 'app-slot.changed', slot: slotHeldBy('wave') },
    { type: 'installed-apps.changed', installedApps: [installedApp('wave')] },
    { type: 'job.changed', job: installJob('wave') },
    { type: 'robot.pose', pose },
  ];
  const once = testDashboard().store;
  const twice = testDashboard().store;
  for (const event of events) {
    once.getState().apply(event);
    twice.getState().apply(event);
    twice.getState().apply(event);
  }
  expect(JSON.stringify(twice.getState())).toBe(JSON.stringify(once.getState()));
});

test('an event of an unknown type is ignored', () => {
  const { store } = testDashboard();
  const before = JSON.stringify(store.getState());
  store.getState().apply({ type: 'models.changed' } as unknown as DaemonEvent);
  expect(JSON.stringify(store.getState())).toBe(before);
});

test('a pose changes no other part of the store', () => {
  const { store } = testDashboard({}, { installedApps: [installedApp('wave')], jobs: [installJob('wave')] });
  const { pose: _, ...before } = store.getState();
  store.getState().apply({ type: 'robot.pose', pose: { ...pose, timeS: 1 } });
  const { pose: moved, ...after } = store.getState();
  expect(moved?.timeS).toBe(1);
  for (const key of Object.keys(before) as (keyof typeof before)[]) expect(after[key]).toBe(before[key]);
});

test('jobs stay newest first and keep their place when they change', () => {
  const older = installJob('older', { createdAt: '2026-03-01T09:00:00.000Z' });
  const { store } = testDashboard({}, { jobs: [older] });
  store.getState().apply({ type: 'job.changed', job: installJob('newer') });
  store.getState().apply({ type: 'job.changed', job: { ...older, state: 'done' } });
  expect(store.getState().jobs.map(({ id, state }) => `${id} ${state}`)).toEqual([
    'job-newer running',
    'job-older done',
  ]);
});

test('the reply to a command changes nothing: the state waits for the event', async () => {
  const { store } = testDashboard({ startApp: () => slotHeldBy('wave', 'starting') });
  await store.getState().startApp('wave');
  expect(store.getState().slot.state).toBe('free');
});

test('a refused start keeps its reason until another app holds the slot', async () => {
  const { store } = testDashboard(
    {
      startApp: () => {
        throw busy;
      },
    },
    { slot: slotHeldBy('dance') },
  );
  await store.getState().startApp('wave');
  expect(refusalOf('start wave')(store.getState())).toBe(busy);
  store.getState().apply({ type: 'app-slot.changed', slot: { ...slotHeldBy('dance'), detail: 'Still going' } });
  expect(refusalOf('start wave')(store.getState())).toBe(busy);
  store.getState().apply({ type: 'app-slot.changed', slot: { state: 'free', lastRun: null } });
  expect(refusalOf('start wave')(store.getState())).toBeNull();
});

test('an app that could not be started keeps the reason when it gives the slot back after the reply', async () => {
  const { store } = testDashboard(
    {
      startApp: () => {
        store.getState().apply({ type: 'app-slot.changed', slot: slotHeldBy('wave', 'starting') });
        throw busy;
      },
    },
    { slot: { state: 'free', lastRun: null } },
  );
  await store.getState().startApp('wave');
  store.getState().apply({ type: 'app-slot.changed', slot: { state: 'free', lastRun: null } });
  expect(refusalOf('start wave')(store.getState())).toBe(busy);
  store.getState().apply({ type: 'app-slot.changed', slot: slotHeldBy('dance', 'starting') });
  expect(refusalOf('start wave')(store.getState())).toBeNull();
});

test('a replace is one call of the daemon, and so is a restart', async () => {
  const { store, calls } = testDashboard(
    { startApp: () => ({}), restartCurrentApp: () => ({}) },
    { slot: slotHeldBy('dance') },
  );
  await store.getState().startApp('wave', { replace: true });
  await store.getState().restartApp('dance');
  expect(calls).toEqual([
    { name: 'startApp', input: { params: { appName: 'wave' }, query: { replace: true } } },
    { name: 'restartCurrentApp', input: {} },
  ]);
});

test('a start or stop is pending until the events show it, when its reply is slow', () => {
  const { store } = testDashboard({}, { slot: { state: 'free', lastRun: null } });
  const { startApp, stopApp, apply } = store.getState();
  const pending = () => [isPending('start wave'), isPending('stop')].map((is) => is(store.getState()));
  void startApp('wave');
  expect(pending()).toEqual([true, false]);
  apply({ type: 'app-slot.changed', slot: slotHeldBy('wave', 'starting') });
  expect(pending()).toEqual([false, false]);
  apply({ type: 'app-slot.changed', slot: slotHeldBy('wave') });

  void stopApp();
  apply({ type: 'app-slot.changed', slot: { ...slotHeldBy('wave'), detail: 'Still going' } });
  expect(pending()).toEqual([false, true]);
  apply({ type: 'app-slot.changed', slot: slotHeldBy('wave', 'stopping') });
  expect(pending()).toEqual([false, false]);
  void stopApp({ force: true });
  apply({ type: 'app-slot.changed', slot: { ...slotHeldBy('wave', 'stopping'), alive: [] } });
  expect(pending()).toEqual([false, true]);
  apply({ type: 'app-slot.changed', slot: { state: 'free', lastRun: null } });
  expect(pending()).toEqual([false, false]);
});

test('a replace is pending while the other app is stopped', () => {
  const { store } = testDashboard({}, { slot: slotHeldBy('dance') });
  const { startApp, apply } = store.getState();
  void startApp('wave', { replace: true });
  for (const slot of [slotHeldBy('dance', 'stopping'), { state: 'free', lastRun: null } as const]) {
    apply({ type: 'app-slot.changed', slot });
    expect(isPending('start wave')(store.getState())).toBe(true);
  }
  apply({ type: 'app-slot.changed', slot: slotHeldBy('wave', 'starting') });
  expect(isPending('start wave')(store.getState())).toBe(false);
});
