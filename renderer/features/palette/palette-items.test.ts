import { expect, onTestFinished, test, vi } from 'vitest';
import { movesKey } from '../../slices/robot/robot-slice.ts';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { commit, installedApp, moment, robotState, slotHeldBy } from '../../testing/fixtures.ts';
import { ownApp, ownAppId, ownAppsOf, ownRun } from '../../testing/own-app-fixtures.ts';
import { localItems } from './palette-items.ts';

const dialogs = { onRemove: () => {}, onNotifications: () => {}, onShortcuts: () => {} };

test('the comparison is found once there are several models to compare', () => {
  const { store } = testDashboard();
  const found = () => localItems(store.getState(), 'compare', dialogs).filter(({ id }) => id === 'compare');
  store.getState().setCompared(['anna/big']);
  expect(found()).toEqual([]);
  store.getState().setCompared(['anna/big', 'ben/odd']);
  expect(found()).toMatchObject([{ href: '#/models?tab=compare&compare=anna%2Fbig%2Cben%2Fodd' }]);
});

test('an app is created, and an own app is run and stopped', () => {
  const dashboard = testDashboard({}, { ownApps: ownAppsOf([ownApp()]) });
  const found = (typed: string) => localItems(dashboard.store.getState(), typed, dialogs)[0];
  expect(found('create an app')).toMatchObject({ label: 'Create an app…', href: '#/apps?tab=create&new=' });
  expect(found('my first app')).toMatchObject({ hint: 'your app', href: `#/apps/own/${ownAppId}` });
  found('run my first app')?.run?.();
  const running = ownAppsOf([ownApp({ run: ownRun({ state: 'running' }) })]);
  dashboard.store.getState().apply({ type: 'own-apps.changed', ownApps: running });
  found('stop my first app')?.run?.();
  expect(dashboard.calls.map(({ name }) => name)).toEqual(['runOwnApp', 'stopOwnApp']);
});

const moves = [
  { name: 'head_shake2', kind: 'emotion', description: 'It says no.', durationS: 1.5 },
  { name: 'waltz', kind: 'dance', description: '', durationS: 12 },
] as const;

test('an emotion or a dance is played by its name in words, or found by its kind', () => {
  const { store, calls } = testDashboard();
  store.getState().setAnswer(movesKey, moves);
  const found = (typed: string) => localItems(store.getState(), typed, dialogs);
  const href = '#/robot?tab=moves';
  expect(found('head shake')).toMatchObject([{ label: 'Play Head shake 2', hint: 'emotion', href }]);
  expect(found('play waltz')[0]).toMatchObject({ label: 'Play Waltz', hint: 'dance' });
  expect(found('dance')).toContainEqual(expect.objectContaining({ label: 'Play Waltz' }));
  found('waltz')[0]?.run?.();
  expect(calls).toEqual([{ name: 'playMove', input: { params: { name: 'waltz' }, body: {} } }]);
  expect(found('').filter(({ label }) => label.startsWith('Play'))).toEqual([]);
  for (const [typed, label] of [
    ['emotions', 'Play Head shake 2'],
    ['dances', 'Play Waltz'],
  ] as const) {
    expect(found(typed).map((item) => item.label)).toEqual(['Emotions and dances', label]);
  }
});

test('a move that cannot be played now says why, and leads to the robot', () => {
  const { store } = testDashboard({}, { robot: robotState({ state: 'asleep', torque: false }) });
  store.getState().setAnswer(movesKey, moves);
  const [item] = localItems(store.getState(), 'waltz', dialogs);
  expect(item).toMatchObject({ hint: 'The robot is asleep. Wake it first.', href: '#/robot?tab=moves' });
  expect(item?.run).toBeUndefined();
});

test('an app with an update is updated; a pinned one is not; updates are looked for', () => {
  const update = { commit: commit('b'), seenAt: moment };
  const apps = [installedApp('dance', 'Dance', { update }), installedApp('wave', 'Wave', { update, pinned: true })];
  const { store, calls } = testDashboard({ updateApp: () => ({}) }, { installedApps: apps });
  const found = (typed: string) => localItems(store.getState(), typed, dialogs);
  expect(found('update').map(({ label }) => label)).toEqual(['Update Dance', 'Check the apps for updates']);
  found('update dance')[0]?.run?.();
  found('check for updates')[0]?.run?.();
  expect(calls.map(({ name }) => name)).toEqual(['updateApp', 'checkForUpdates']);
});

test.each([
  ['help', 'Help', '#/help'],
  ['doctor', 'Check this installation', '#/help'],
  ['report a problem', 'Report a problem', '#/help?section=report'],
  ['bug', 'Report a problem', '#/help?section=report'],
])('%s finds "%s"', (typed, label, href) => {
  expect(localItems(testDashboard().store.getState(), typed, dialogs)[0]).toMatchObject({ label, href });
});

test('what is stopped is found by "stop", and where nothing can be stopped the line says so', () => {
  const { store } = testDashboard({}, { installedApps: [installedApp('dance', 'Dance')] });
  const found = (typed: string) => localItems(store.getState(), typed, dialogs);
  expect(found('stop')).toMatchObject([{ label: 'Stop', hint: 'nothing runs', href: '#/' }]);
  expect(found('').map(({ label }) => label)).not.toContain('Stop');
  expect(found('s').at(-1), 'after the lines that do something').toMatchObject({ label: 'Stop' });
  store.getState().apply({ type: 'robot.changed', robot: robotState({ motion: 'going to its default position' }) });
  expect(found('stop').map(({ label }) => label)).toEqual(['Stop motion']);
  store.getState().apply({ type: 'robot.changed', robot: robotState() });
  store.getState().apply({ type: 'app-slot.changed', slot: slotHeldBy('dance') });
  expect(found('stop').map(({ label }) => label)).toEqual(['Stop Dance']);
  const holder = { kind: 'local-app', name: 'a notebook' } as const;
  store.getState().apply({ type: 'app-slot.changed', slot: { ...slotHeldBy('dance'), holder } });
  expect(found('stop')).toMatchObject([{ label: 'Stop', hint: 'where the program was started' }]);
});

test('a browser says where the program is quit, to who looks for it', () => {
  const { store } = testDashboard();
  const found = (typed: string) => localItems(store.getState(), typed, dialogs);
  expect(found('quit')).toMatchObject([{ label: 'Quit Robot Desktop', hint: 'where the daemon was started' }]);
  expect(found('').map(({ label }) => label)).not.toContain('Quit Robot Desktop');
});

test('in its window the program is quit, and its own updates are found', async () => {
  const inWindow = '../../navigation/in-window.ts';
  vi.resetModules();
  vi.doMock(inWindow, async (load) => ({ ...(await load<object>()), isInWindow: true }));
  onTestFinished(() => {
    vi.doUnmock(inWindow);
    vi.resetModules();
  });
  const { localItems: itemsInWindow } = await import('./palette-items.ts');
  const { store } = testDashboard();
  const found = (typed: string) => itemsInWindow(store.getState(), typed, dialogs);
  expect(found('quit')).toMatchObject([{ label: 'Quit Robot Desktop…', hint: 'Ctrl Q' }]);
  expect(found('quit')[0]?.run).toBeTypeOf('function');
  expect(found('update')).toMatchObject([{ label: 'Updates of Robot Desktop', href: '#/settings?section=desktop' }]);
});

test('an app is reset on its page, which asks first', () => {
  const dashboard = testDashboard({}, { installedApps: [installedApp('dance', 'Dance')] });
  const [found] = localItems(dashboard.store.getState(), 'reset dance', dialogs);
  expect(found).toMatchObject({ label: 'Reset Dance…', href: '#/apps/dance?reset=' });
  expect(found?.run).toBeUndefined();
});
