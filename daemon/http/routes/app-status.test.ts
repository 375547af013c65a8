import { expect, test } from 'vitest';
import type { AppSlotState } from '../../contract/apps/app-slot.ts';
import type { InstalledApp } from '../../contract/apps/apps.ts';
import type { RunOutcome } from '../../contract/apps/runs.ts';
import { appStatusOf } from './alias-routes.ts';

const apps = [
  { name: 'dance', description: 'Dances.', settingsPage: { port: 8042, path: '/' } },
] as unknown as InstalledApp[];
const info = {
  name: 'dance',
  source_kind: 'installed',
  description: 'Dances.',
  url: null,
  extra: { custom_app_url: 'http://localhost:8042/' },
};
const after = (outcome: RunOutcome) =>
  ({ state: 'free', lastRun: { appName: 'dance', outcome, message: 'It ended.' } }) as AppSlotState;
const during = (state: string, holder: object) => ({ state, holder }) as AppSlotState;

test.each(['starting', 'running', 'stopping'])('an app that is %s', (state) => {
  const slot = during(state, { kind: 'managed-app', appName: 'dance', runId: '1' });
  expect(appStatusOf(slot, apps)).toEqual({ info, state, error: null });
});

test('a program that was started by hand has no description', () => {
  const slot = during('running', { kind: 'local-app', name: 'my.py' });
  expect(appStatusOf(slot, apps)).toEqual({
    info: { ...info, name: 'my.py', description: '', extra: { custom_app_url: null } },
    state: 'running',
    error: null,
  });
});

test('an app that ended by itself stays, one that was stopped does not', () => {
  expect(appStatusOf(after('finished'), apps)).toEqual({ info, state: 'done', error: null });
  expect(appStatusOf(after('crashed'), apps)).toEqual({ info, state: 'error', error: 'It ended.' });
  expect(appStatusOf(after('stopped'), apps)).toBeNull();
  expect(appStatusOf(after('killed'), apps)).toBeNull();
  expect(appStatusOf({ state: 'free', lastRun: null }, apps)).toBeNull();
});
