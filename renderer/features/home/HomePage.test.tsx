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
  slotHeldBy,
} from '../../testing/fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { HomePage } from './HomePage.tsx';

test('a robot with a problem shows the reason and the action once', () => {
  const reason = 'A motor has shut down: stewart_3 (overloaded).';
  const action = 'Make sure that nothing blocks the robot, then wake it.';
  renderDashboard(testDashboard({}, { robot: robotState({ state: 'error', reason, action }) }), <HomePage />);
  const card = within(screen.getByRole('region', { name: 'The robot' }));
  expect(card.getByText('Error')).toBeVisible();
  expect(card.getByText(reason)).toBeVisible();
  expect(card.getByText(action)).toBeVisible();
  expect(screen.getAllByText(reason)).toHaveLength(1);
  expect(screen.getByRole('region', { name: 'Needs attention' })).toHaveTextContent('Only the robot.');
});

test('updates are listed under Needs attention, except of pinned apps', async () => {
  const update = { commit: commit('b'), seenAt: moment };
  const installedApps = [appFromHub('dance', { update }), appFromHub('wave', { update, pinned: true })];
  const dashboard = testDashboard({ updateApp: () => ({}) }, { installedApps });
  renderDashboard(dashboard, <HomePage />);
  const needs = within(screen.getByRole('region', { name: 'Needs attention' }));
  expect(needs.getByText('1 update available')).toBeVisible();
  await userEvent.click(needs.getByRole('button', { name: 'Update dance' }));
  expect(dashboard.calls).toEqual([{ name: 'updateApp', input: { params: { appName: 'dance' } } }]);
});

test('an automatic rollback is shown until it is dismissed', async () => {
  const from = appVersion('dance', '1.1.0');
  const rolledBack = { from, at: moment, automatic: true, reason: 'It crashed at its first start.' };
  const run = crashOf('dance', { version: '1.1.0' });
  const installedApps = [appFromHub('dance', { rolledBack })];
  renderDashboard(testDashboard({}, { installedApps, crashes: [{ run, seen: false }] }), <HomePage />);
  const needs = within(screen.getByRole('region', { name: 'Needs attention' }));
  expect(needs.getByText('dance was rolled back from 1.1.0 to 1.0.0 automatically.')).toBeVisible();
  expect(needs.getByText(/^It crashed at its first start\./)).toBeVisible();
  expect(needs.queryByText(run.message)).toBeNull();
  await userEvent.click(needs.getByRole('button', { name: 'Dismiss this message' }));
  expect(needs.getByText('Nothing right now.')).toBeVisible();
});

test('a crash names its app until it is dismissed, whatever runs now; a force-stopped app needs no attention', async () => {
  const installedApps = [installedApp('polite', 'Polite')];
  const run = crashOf('polite', { message: 'It crashed.' });
  const slot = slotHeldBy('dance');
  const { store, ...dashboard } = testDashboard({}, { installedApps, slot, crashes: [{ run, seen: false }] });
  renderDashboard({ store, ...dashboard }, <HomePage />);
  const needs = within(screen.getByRole('region', { name: 'Needs attention' }));
  expect(needs.getByText(/It crashed\./)).toHaveTextContent('Polite: It crashed.');
  await userEvent.click(needs.getByRole('button', { name: 'Dismiss this message' }));
  expect(dashboard.calls).toEqual([{ name: 'markCrashSeen', input: { params: { runId: 'run-1' } } }]);
  expect(needs.getByText(/It crashed\./), 'the daemon decides').toBeVisible();
  act(() => store.getState().apply({ type: 'app-crashes.changed', crashes: [{ run, seen: true }] }));
  expect(needs.getByText('Nothing right now.')).toBeVisible();
  const killed = crashOf('polite', { runId: 'run-2', outcome: 'killed', message: 'It was force-stopped.' });
  act(() => store.getState().apply({ type: 'app-slot.changed', slot: { state: 'free', lastRun: killed } }));
  expect(needs.getByText('Nothing right now.')).toBeVisible();
});

test('all failed jobs are one line', async () => {
  const jobs = [
    installJob('box', { id: 'box', state: 'failed', failure }),
    installJob('chest', { id: 'chest', state: 'failed', failure }),
    installJob('dance', { id: 'dance', kind: 'update-app', state: 'failed', failure }),
  ];
  renderDashboard(testDashboard({}, { jobs }), <HomePage />);
  const needs = within(screen.getByRole('region', { name: 'Needs attention' }));
  expect(needs.getByText(/failed/)).toHaveTextContent('2 installs and 1 update failed → Activity');
  expect(needs.getByRole('link', { name: 'Activity' })).toHaveAttribute('href', '#/activity');
  await userEvent.click(needs.getByRole('button', { name: 'Dismiss this message' }));
  expect(needs.getByText('Nothing right now.')).toBeVisible();
});
