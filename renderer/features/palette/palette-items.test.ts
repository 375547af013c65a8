import { expect, test } from 'vitest';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { installedApp } from '../../testing/fixtures.ts';
import { ownApp, ownAppId, ownAppsOf, ownRun } from '../../testing/own-app-fixtures.ts';
import { localItems } from './palette-items.ts';

test('the comparison is found once there are several models to compare', () => {
  const { store } = testDashboard();
  const dialogs = { onRemove: () => {}, onNotifications: () => {} };
  const found = () => localItems(store.getState(), 'compare', dialogs).filter(({ id }) => id === 'compare');
  store.getState().setCompared(['anna/big']);
  expect(found()).toEqual([]);
  store.getState().setCompared(['anna/big', 'ben/odd']);
  expect(found()).toMatchObject([{ href: '#/models?tab=compare&compare=anna%2Fbig%2Cben%2Fodd' }]);
});

test('an app is created, and an own app is run and stopped', () => {
  const dialogs = { onRemove: () => {}, onNotifications: () => {} };
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

test('an app is reset on its page, which asks first', () => {
  const dashboard = testDashboard({}, { installedApps: [installedApp('dance', 'Dance')] });
  const dialogs = { onRemove: () => {}, onNotifications: () => {} };
  const [found] = localItems(dashboard.store.getState(), 'reset dance', dialogs);
  expect(found).toMatchObject({ label: 'Reset Dance…', href: '#/apps/dance?reset=' });
  expect(found?.run).toBeUndefined();
});
