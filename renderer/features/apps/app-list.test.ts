import { expect, test } from 'vitest';
import { failure, installedApp, installJob } from '../../testing/fixtures.ts';
import { installedTab } from './app-list.ts';

const nothing = { jobs: [], dismissed: [], installedApps: [], running: null, search: '' };
const apps = [
  installedApp('wave', 'Wave', { description: 'Greets visitors.' }),
  installedApp('dance', 'Dance'),
  installedApp('cafe', 'Café'),
];
const names = (change: object) =>
  installedTab({ ...nothing, installedApps: apps, ...change }).installed.map((app) => app.name);

test('an install of a program that serves models is not shown as an app', () => {
  const program = { kind: 'install-runtime', subject: 'llama-server', appName: null } as const;
  const jobs = [installJob('x', program), installJob('y', { ...program, state: 'failed', failure })];
  expect(installedTab({ ...nothing, jobs })).toEqual({ installing: [], installed: [], failed: [] });
});

test('the running app comes first, the others by title', () => {
  expect(names({})).toEqual(['cafe', 'dance', 'wave']);
  expect(names({ running: 'wave' })).toEqual(['wave', 'cafe', 'dance']);
  expect(names({ running: 'no-app-of-ours' })).toEqual(['cafe', 'dance', 'wave']);
});

test('a search looks in titles, names and descriptions', () => {
  expect(names({ search: 'CAFE' })).toEqual(['cafe']);
  expect(names({ search: 'visitors greets' })).toEqual(['wave']);
  expect(names({ search: 'wave dance' })).toEqual([]);
});
