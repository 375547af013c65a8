import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { testDashboard } from '../../testing/fake-daemon.ts';
import {
  appFromHub,
  appVersion,
  commit,
  crashOf,
  failure,
  installedApp,
  installJob,
  moment,
  robotState,
} from '../../testing/fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { HomePage } from './HomePage.tsx';

test('a robot in trouble says why and what to do, once', () => {
  const reason = 'A motor has let go: stewart_3 (it was pushed too hard).';
  const action = 'Make sure that nothing holds the robot, then wake it.';
  renderDashboard(testDashboard({}, { robot: robotState({ state: 'error', reason, action }) }), <HomePage />);
  const card = within(screen.getByRole('region', { name: 'The robot' }));
  expect(card.getByText('Error')).toBeVisible();
  expect(card.getByText(reason)).toBeVisible();
  expect(card.getByText(action)).toBeVisible();
  expect(screen.getAllByText(reason)).toHaveLength(1);
  expect(screen.getByRole('region', { name: 'Needs you' })).toHaveTextContent('Nothing but the robot.');
});

test('updates wait under what needs you, those of pinned apps do not', async () => {
  const update = { commit: commit('b'), seenAt: moment };
  const installedApps = [appFromHub('dance', { update }), appFromHub('wave', { update, pinned: true })];
  const dashboard = testDashboard({ updateApp: () => ({}) }, { installedApps });
  renderDashboard(dashboard, <HomePage />);
  const needs = within(screen.getByRole('region', { name: 'Needs you' }));
  expect(needs.getByText('1 update available')).toBeVisible();
  await userEvent.click(needs.getByRole('button', { name: 'Update dance' }));
  expect(dashboard.calls).toEqual([{ name: 'updateApp', input: { params: { appName: 'dance' } } }]);
});

test('a return to an earlier version that nobody asked for stands there until it is put away', async () => {
  const from = appVersion('dance', '1.1.0');
  const rolledBack = { from, at: moment, automatic: true, reason: 'It crashed at its first start.' };
  const lastRun = crashOf('dance', { version: '1.1.0' });
  const installedApps = [appFromHub('dance', { rolledBack })];
  renderDashboard(testDashboard({}, { installedApps, slot: { state: 'free', lastRun } }), <HomePage />);
  const needs = within(screen.getByRole('region', { name: 'Needs you' }));
  expect(needs.getByText('dance returned from 1.1.0 to 1.0.0 by itself.')).toBeVisible();
  expect(needs.getByText(/^It crashed at its first start\./)).toBeVisible();
  expect(needs.queryByText(lastRun.message)).toBeNull();
  await userEvent.click(needs.getByRole('button', { name: 'Dismiss this message' }));
  expect(needs.getByText('Nothing right now.')).toBeVisible();
});

test('a crash begins with whose it was, and is put away; an end by force needs nobody', async () => {
  const installedApps = [installedApp('polite', 'Polite')];
  const lastRun = crashOf('polite', { message: 'It stopped at an error.' });
  const { store, ...dashboard } = testDashboard({}, { installedApps, slot: { state: 'free', lastRun } });
  renderDashboard({ store, ...dashboard }, <HomePage />);
  const needs = within(screen.getByRole('region', { name: 'Needs you' }));
  expect(needs.getByText('Polite: It stopped at an error.')).toBeVisible();
  await userEvent.click(needs.getByRole('button', { name: 'Dismiss this message' }));
  expect(needs.getByText('Nothing right now.')).toBeVisible();
  const killed = crashOf('polite', { runId: 'run-2', outcome: 'killed', message: 'It was force-stopped.' });
  act(() => store.getState().apply({ type: 'app-slot.changed', slot: { state: 'free', lastRun: killed } }));
  expect(needs.getByText('Nothing right now.')).toBeVisible();
});

test('failed jobs are one line, however many there are', async () => {
  const jobs = [
    installJob('box', { id: 'box', state: 'failed', failure }),
    installJob('chest', { id: 'chest', state: 'failed', failure }),
    installJob('dance', { id: 'dance', kind: 'update-app', state: 'failed', failure }),
  ];
  renderDashboard(testDashboard({}, { jobs }), <HomePage />);
  const needs = within(screen.getByRole('region', { name: 'Needs you' }));
  expect(needs.getByText(/failed/)).toHaveTextContent('2 installs and 1 update failed → Activity');
  expect(needs.getByRole('link', { name: 'Activity' })).toHaveAttribute('href', '#/activity');
  await userEvent.click(needs.getByRole('button', { name: 'Dismiss this message' }));
  expect(needs.getByText('Nothing right now.')).toBeVisible();
});
