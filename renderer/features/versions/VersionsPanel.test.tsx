import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import { testDashboard } from '../../testing/fake-daemon.ts';
import {
  appFromHub,
  appVersion,
  commit,
  failure,
  installedApp,
  installJob,
  moment,
  slotHeldBy,
} from '../../testing/fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { AppPage } from '../app/AppPage.tsx';
import { VersionsPanel } from './VersionsPanel.tsx';

const fromHub = appFromHub('dance', { version: '1.2.0' });
const before = { version: '1.1.0', source: { ...fromHub.source, commit: commit('c') }, installedAt: moment };

test('the installed version says what it is, from where, and which one it replaced', async () => {
  const dashboard = testDashboard({ rollBackApp: () => fromHub });
  renderDashboard(dashboard, <VersionsPanel app={{ ...fromHub, previous: before, onTrial: true }} />);
  const installed = within(screen.getByRole('region', { name: 'Installed: 1.2.0' }));
  expect(installed.getByText('aaaaaaa')).toHaveAttribute('title', commit('a'));
  expect(installed.getByText('https://hub.test/spaces/anna/dance')).toBeVisible();
  expect(installed.getByText(/update is on trial/)).toHaveTextContent('1.1.0 is restored automatically.');
  const previous = within(screen.getByRole('region', { name: 'Earlier version: 1.1.0' }));
  await userEvent.click(previous.getByRole('button', { name: 'Return dance to 1.1.0' }));
  expect(dashboard.calls).toEqual([{ name: 'rollBackApp', input: { params: { appName: 'dance' } } }]);
});

test('two versions with one number are told apart by their commits', () => {
  renderDashboard(testDashboard(), <VersionsPanel app={{ ...fromHub, previous: { ...before, version: '1.2.0' } }} />);
  expect(screen.getByRole('button', { name: 'Return dance to 1.2.0 (ccccccc)' })).toBeVisible();
});

test('while it runs, nothing can be returned to', () => {
  const dashboard = testDashboard({}, { slot: slotHeldBy('dance') });
  renderDashboard(dashboard, <VersionsPanel app={{ ...fromHub, previous: before }} />);
  expect(screen.getByRole('button', { name: 'Return dance to 1.1.0' })).toBeDisabled();
});

test('updates are asked for, and one that is known is installed as a job', async () => {
  const answers = { checkForUpdates: () => [], updateApp: () => installJob('dance', { kind: 'update-app' }) };
  const dashboard = testDashboard(answers, { installedApps: [fromHub] });
  renderDashboard(dashboard, <AppPage name="dance" tab="versions" />);
  await userEvent.click(screen.getByRole('button', { name: 'Check for updates' }));
  expect(screen.getByText(/^No update found\. Checked/)).toBeVisible();
  const installedApps = [{ ...fromHub, update: { commit: commit('b'), seenAt: moment } }];
  act(() => dashboard.store.getState().apply({ type: 'installed-apps.changed', installedApps }));
  expect(screen.getByRole('tab', { name: /^Versions/ })).toHaveTextContent('update');
  await userEvent.click(screen.getByRole('button', { name: 'Update dance' }));
  expect(dashboard.calls.map(({ name }) => name)).toEqual(['checkForUpdates', 'updateApp']);
});

test('why it is not known whether there is an update is said, asked or not', async () => {
  const dashboard = testDashboard({ checkForUpdates: () => [] });
  const app = { ...fromHub, updateProblem: 'The hub does not answer.' };
  renderDashboard(dashboard, <VersionsPanel app={app} />);
  const words = 'Could not check for updates: The hub does not answer.';
  expect(screen.getByRole('status')).toHaveTextContent(words);
  await userEvent.click(screen.getByRole('button', { name: 'Check for updates' }));
  expect(screen.getByRole('status')).toHaveTextContent(`${words} Checked just now`);
});

test('an update under way stands in the place of its button, and nowhere else on the page', () => {
  const jobs = [installJob('dance', { kind: 'update-app' })];
  renderDashboard(testDashboard({}, { installedApps: [fromHub], jobs }), <AppPage name="dance" tab="versions" />);
  const installed = within(screen.getByRole('region', { name: 'Installed: 1.2.0' }));
  expect(installed.getByRole('progressbar', { name: 'Updating dance' })).toBeVisible();
  expect(installed.queryByRole('button', { name: 'Check for updates' })).toBeNull();
  expect(screen.getAllByRole('progressbar')).toHaveLength(1);
  expect(screen.getByRole('button', { name: 'Start dance' })).toBeDisabled();
});

test('an update that failed says why where it was asked for', () => {
  const jobs = [installJob('dance', { kind: 'update-app', state: 'failed', failure })];
  const app = { ...fromHub, installedAt: '2026-03-01T09:00:00.000Z' };
  renderDashboard(testDashboard({}, { installedApps: [app], jobs }), <VersionsPanel app={app} />);
  expect(screen.getByText(failure.message)).toBeVisible();
});

test('sources that cannot be asked are said', async () => {
  const refuse = () => Promise.reject(new DaemonError(null, 'The daemon did not answer within 90 s. Try again.'));
  renderDashboard(testDashboard({ checkForUpdates: refuse }), <VersionsPanel app={fromHub} />);
  await userEvent.click(screen.getByRole('button', { name: 'Check for updates' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('did not answer within 90 s');
});

test('a pinned app says so, and its switch moves once the daemon says so', async () => {
  const update = { commit: commit('b'), seenAt: moment };
  const dashboard = testDashboard({ pinApp: () => fromHub });
  const { rerender } = renderDashboard(dashboard, <VersionsPanel app={{ ...fromHub, update }} />);
  const pin = () => screen.getByRole('switch', { name: 'Stay at this version' });
  await userEvent.click(pin());
  expect(dashboard.calls).toEqual([
    { name: 'pinApp', input: { params: { appName: 'dance' }, body: { pinned: true } } },
  ]);
  expect(pin()).not.toBeChecked();
  rerender(<VersionsPanel app={{ ...fromHub, update, pinned: true }} />);
  expect(pin()).toBeChecked();
  expect(screen.getByRole('button', { name: 'Update dance' })).toBeDisabled();
});

test('a return that nobody asked for is told: from what, to what, why and when', () => {
  const rolledBack = {
    from: appVersion('dance', '1.3.0'),
    at: moment,
    automatic: true,
    reason: 'It crashed 2 s after its first start.',
  };
  const app = { ...fromHub, rolledBack, previous: rolledBack.from };
  const { rerender } = renderDashboard(testDashboard(), <VersionsPanel app={app} />);
  expect(screen.getByText('1.3.0 crashed here and is not offered again.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Return dance to 1.3.0' })).toBeEnabled();
  expect(screen.getByText('No version newer than 1.3.0 found.')).toBeVisible();
  expect(screen.getByText('dance was rolled back from 1.3.0 to 1.2.0 automatically.')).toBeVisible();
  expect(screen.getByText(/^It crashed 2 s after/)).toBeVisible();
  rerender(<VersionsPanel app={{ ...fromHub, rolledBack: { ...rolledBack, automatic: false } }} />);
  expect(screen.getByText('You returned dance from 1.3.0 to 1.2.0.')).toBeVisible();
});

test('an app from a folder is installed again instead', async () => {
  const dashboard = testDashboard({ updateApp: () => ({}) });
  renderDashboard(dashboard, <VersionsPanel app={installedApp('wave')} />);
  expect(screen.queryByRole('button', { name: 'Check for updates' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Install again wave' }));
  expect(dashboard.calls.map(({ name }) => name)).toEqual(['updateApp']);
});

test('an order that is refused says why', async () => {
  const refuse = () => Promise.reject(new DaemonError(409, 'dance is running. Stop it first.'));
  const installedApps = [{ ...fromHub, previous: before }];
  renderDashboard(testDashboard({ rollBackApp: refuse }, { installedApps }), <AppPage name="dance" tab="versions" />);
  await userEvent.click(screen.getByRole('button', { name: 'Return dance to 1.1.0' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('dance is running. Stop it first.');
});
