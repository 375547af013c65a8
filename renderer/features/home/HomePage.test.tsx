import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { type TestDashboard, testDashboard } from '../../testing/fake-daemon.ts';
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

/** The calls, except of what the page loads. */
const commands = ({ calls }: Pick<TestDashboard, 'calls'>) => calls.filter(({ name }) => name !== 'getStorage');

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

test('the apps to start have one button each; the settings of one that does not run could not be opened', () => {
  const settingsPage = { port: 8042, path: '/' };
  const installedApps = [installedApp('dance', 'Dance', { settingsPage }), installedApp('wave', 'Wave')];
  const { store, ...dashboard } = testDashboard({}, { installedApps });
  renderDashboard({ store, ...dashboard }, <HomePage />);
  const next = within(screen.getByRole('region', { name: 'Start an app' }));
  expect(next.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual([
    'Start dance',
    'Start wave',
  ]);
  act(() => store.getState().apply({ type: 'app-slot.changed', slot: slotHeldBy('dance') }));
  expect(screen.getByRole('button', { name: 'Settings of dance' })).toBeVisible();
});

test('updates are listed under Needs attention, except of pinned apps', async () => {
  const update = { commit: commit('b'), seenAt: moment };
  const installedApps = [appFromHub('dance', { update }), appFromHub('wave', { update, pinned: true })];
  const dashboard = testDashboard({ updateApp: () => ({}) }, { installedApps });
  renderDashboard(dashboard, <HomePage />);
  const needs = within(screen.getByRole('region', { name: 'Needs attention' }));
  expect(needs.getByText('1 update available')).toBeVisible();
  await userEvent.click(needs.getByRole('button', { name: 'Update dance' }));
  expect(commands(dashboard)).toEqual([{ name: 'updateApp', input: { params: { appName: 'dance' } } }]);
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
  expect(commands(dashboard)).toEqual([{ name: 'markCrashSeen', input: { params: { runId: 'run-1' } } }]);
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

test('a failed job that is the only one is named', () => {
  const jobs = [installJob('dance', { kind: 'update-app', state: 'failed', failure })];
  renderDashboard(testDashboard({}, { jobs }), <HomePage />);
  expect(screen.getByText(/failed →/)).toHaveTextContent('The update of dance failed → Activity');
});

test('what runs, the last crash, models, work and the disk are one line each', async () => {
  const disk = { totalBytes: 64e9, freeBytes: 1.2e9 };
  const dashboard = testDashboard(
    { getStorage: () => ({ dataDir: '/data', disk }) },
    {
      installedApps: [installedApp('dance', 'Dance')],
      slot: { state: 'free', lastRun: crashOf('dance', { outcome: 'finished' }) },
      crashes: [{ run: crashOf('dance', { runId: 'run-0' }), seen: true }],
      endpoints: { total: 3, revision: 1, states: { running: 1, failed: 1, paused: 1 } },
      jobs: [installJob('box')],
    },
  );
  renderDashboard(dashboard, <HomePage />);
  const glance = within(screen.getByRole('region', { name: 'At a glance' }));
  expect(await glance.findByText(/^1\.2 GB of 64 GB free: little/)).toHaveTextContent('in /data');
  const facts = glance.getAllByRole('definition').map(({ textContent }) => textContent);
  expect(facts.slice(0, 4)).toEqual([
    expect.stringMatching(/^Nothing\. Dance finished .* ago$/),
    expect.stringMatching(/^Dance .* ago$/),
    '3 endpoints, 1 running, 1 failed',
    '1 job under way',
  ]);
  expect(glance.getByRole('link', { name: '3 endpoints' })).toHaveAttribute('href', '#/models?tab=endpoints');
  act(() => dashboard.store.getState().apply({ type: 'app-slot.changed', slot: slotHeldBy('dance') }));
  expect(glance.getAllByRole('definition')[0]).toHaveTextContent(/^Dance, running/);
});

test('a disk that cannot be asked is unknown, and a new machine has nothing to tell', async () => {
  const dashboard = testDashboard({ getStorage: () => ({ dataDir: '/data', disk: null }) });
  renderDashboard(dashboard, <HomePage />);
  const glance = within(screen.getByRole('region', { name: 'At a glance' }));
  expect(await glance.findByText(/^Unknown/)).toBeVisible();
  expect(glance.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
    'No app has run yet',
    'None to look at',
    'No model is deployed',
    'No jobs',
    'Unknown in /data',
  ]);
});
