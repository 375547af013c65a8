import { expect, test } from 'vitest';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { installedApp, sampleApp, slotHeldBy } from '../../testing/fixtures.ts';
import { holderOf, slotAbout, titleOf } from './apps-slice.ts';

const installedApps = [
  installedApp('hello_wave', 'Hello wave'),
  installedApp('reply', 'Chat'),
  installedApp('talk', 'Chat'),
];
const sampleApps = [sampleApp('dance', 'Dance'), sampleApp('hello_wave', 'The sample')];

test.each([
  ['hello_wave', 'Hello wave'],
  ['dance', 'Dance'],
  ['removed', 'removed'],
  ['reply', 'Chat (reply)'],
  ['talk', 'Chat (talk)'],
])('people see %s as %s', (name, title) => {
  expect(titleOf({ installedApps, sampleApps }, name)).toBe(title);
});

test('an app that runs is named by its title, a program that the daemon did not start by its own name', () => {
  const holder = (slot: ReturnType<typeof slotHeldBy>) =>
    holderOf(testDashboard({}, { installedApps, sampleApps, slot }).store.getState());
  expect(holder(slotHeldBy('hello_wave'))).toBe('Hello wave');
  const free = testDashboard({}, { installedApps }).store.getState();
  expect(holderOf(free)).toBeNull();
  const since = '2026-03-01T10:00:00.000Z';
  const local = { kind: 'local-app', name: 'hello_wave' } as const;
  expect(holder({ ...slotHeldBy('x'), since, holder: local })).toBe('hello_wave');
});

test('an app that is as before stays the same object, so that its card is not drawn again', () => {
  const { store } = testDashboard({}, { installedApps });
  const before = store.getState().installedApps;
  const now = structuredClone(installedApps).map((app) => (app.name === 'talk' ? { ...app, pinned: true } : app));
  store.getState().apply({ type: 'installed-apps.changed', installedApps: now });
  const after = store.getState().installedApps;
  expect(after).toEqual(now);
  expect(after.map((app, index) => app === before[index])).toEqual([true, true, false]);
});

test('a start, a run and its end are about one app; for the others the slot is as before', () => {
  const { store } = testDashboard({}, { installedApps });
  const about = (name: string) => slotAbout(name)(store.getState());
  const [free, held] = [about('talk'), slotHeldBy('reply')];
  store.getState().apply({ type: 'app-slot.changed', slot: held });
  expect([about('reply'), about('talk')]).toEqual([held, free]);
  expect(about('talk')).toBe(free);
});
