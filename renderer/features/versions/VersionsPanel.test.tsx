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
  inSeconds,
  installedApp,
  installJob,
  moment,
  slotHeldBy,
} from '../../testing/fixtures.ts';
import { ownApp, ownAppId, ownAppsOf } from '../../testing/own-app-fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { AppPage } from '../app/AppPage.tsx';
import { VersionsPanel } from './VersionsPanel.tsx';

const fromHub = appFromHub('dance', { version: '1.2.0' });
const before = { version: '1.1.0', source: { ...fromHub.source, commit: commit('c') }, installedAt: moment };

test('the installed version shows its commit, its source and the earlier version', async () => {
  const dashboard = testDashboard({ rollBackApp: () => fromHub });
  renderDashboard(dashboard, <VersionsPanel app={{ ...fromHub, previous: before, onTrial: true }} />);
  const installed = within(screen.getByRole('region', { name: 'Installed: 1.2.0' }));
  expect(installed.getByText('aaaaaaa')).toHaveAttribute('title', commit('a'));
  expect(installed.getByText('https://hub.test/spaces/anna/dance')).toBeVisible();
  expect(installed.getByText(/update is on trial/)).toHaveTextContent('1.1.0 is restored automatically.');
  expect(installed.getByText(/^An update keeps the files that the app has saved/)).toBeVisible();
  const previous = within(screen.getByRole('region', { name: 'Earlier version: 1.1.0' }));
  await userEvent.click(previous.getByRole('button', { name: 'Return to 1.1.0: dance' }));
  expect(dashboard.calls).toEqual([{ name: 'rollBackApp', input: { params: { appName: 'dance' } } }]);
});

test('two versions with one number show their commits', () => {
  renderDashboard(testDashboard(), <VersionsPanel app={{ ...fromHub, previous: { ...before, version: '1.2.0' } }} />);
  expect(screen.getByRole('button', { name: 'Return to 1.2.0 (ccccccc): dance' })).toBeVisible();
});

test('a running app cannot return to its earlier version', () => {
  const dashboard = testDashboard({}, { slot: slotHeldBy('dance') });
  renderDashboard(dashboard, <VersionsPanel app={{ ...fromHub, previous: before }} />);
  expect(screen.getByRole('button', { name: 'Return to 1.1.0: dance' })).toBeDisabled();
});

test('updates are checked for, and an available one is installed as a job', async () => {
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

test('a check is as old as it is in a browser whose clock is hours off', async () => {
  const now = inSeconds(3 * 3_600);
  const dashboard = testDashboard({ checkForUpdates: () => ({}) }, { now, installedApps: [fromHub] });
  renderDashboard(dashboard, <VersionsPanel app={fromHub} />);
  await userEvent.click(screen.getByRole('button', { name: 'Check for updates' }));
  expect(await screen.findByText(/^No update found\./)).toHaveTextContent('Checked just now');
});

test('a failed check for updates shows the reason', async () => {
  const dashboard = testDashboard({ checkForUpdates: () => [] });
  const app = { ...fromHub, updateProblem: 'The hub does not answer.' };
  renderDashboard(dashboard, <VersionsPanel app={app} />);
  const text = 'Could not check for updates: The hub does not answer.';
  expect(screen.getByRole('status')).toHaveTextContent(text);
  await userEvent.click(screen.getByRole('button', { name: 'Check for updates' }));
  expect(screen.getByRole('status')).toHaveTextContent(`${text} Checked just now`);
});

test('the progress of an update replaces its button only', () => {
  const jobs = [installJob('dance', { kind: 'update-app' })];
  renderDashboard(testDashboard({}, { installedApps: [fromHub], jobs }), <AppPage name="dance" tab="versions" />);
  const installed = within(screen.getByRole('region', { name: 'Installed: 1.2.0' }));
  expect(installed.getByRole('progressbar', { name: 'Updating dance' })).toBeVisible();
  expect(installed.queryByRole('button', { name: 'Check for updates' })).toBeNull();
  expect(screen.getAllByRole('progressbar')).toHaveLength(1);
  expect(screen.getByRole('button', { name: 'Start dance' })).toBeDisabled();
});

test('a failed update shows the reason in the panel', () => {
  const jobs = [installJob('dance', { kind: 'update-app', state: 'failed', failure })];
  const app = { ...fromHub, installedAt: '2026-03-01T09:00:00.000Z' };
  renderDashboard(testDashboard({}, { installedApps: [app], jobs }), <VersionsPanel app={app} />);
  expect(screen.getByText(failure.message)).toBeVisible();
});

test('a refused check for updates is reported', async () => {
  const refuse = () => Promise.reject(new DaemonError(null, 'The daemon did not answer within 90 s. Try again.'));
  renderDashboard(testDashboard({ checkForUpdates: refuse }), <VersionsPanel app={fromHub} />);
  await userEvent.click(screen.getByRole('button', { name: 'Check for updates' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('did not answer within 90 s');
});

test("the pin switch moves on the daemon's event, and a pinned app is not updated", async () => {
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

test('an automatic rollback shows both versions, the reason and the time', () => {
  const rolledBack = {
    from: appVersion('dance', '1.3.0'),
    at: moment,
    automatic: true,
    reason: 'It crashed 2 s after its first start.',
  };
  const app = { ...fromHub, rolledBack, previous: rolledBack.from };
  const { rerender } = renderDashboard(testDashboard(), <VersionsPanel app={app} />);
  expect(screen.getByText('1.3.0 crashed here, so it is not offered as an update again.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Return to 1.3.0: dance' })).toBeEnabled();
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

test('a refused command shows the reason', async () => {
  const refuse = () => Promise.reject(new DaemonError(409, 'dance is running. Stop it first.'));
  const installedApps = [{ ...fromHub, previous: before }];
  renderDashboard(testDashboard({ rollBackApp: refuse }, { installedApps }), <AppPage name="dance" tab="versions" />);
  await userEvent.click(screen.getByRole('button', { name: 'Return to 1.1.0: dance' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('dance is running. Stop it first.');
});

test('an app from a folder of the user says so, and leads to where its changes apply at once', () => {
  const { folder } = ownApp();
  const app = installedApp('my_first_app', 'My first app', { source: { kind: 'folder', path: folder } });
  const dashboard = testDashboard({}, { installedApps: [app], ownApps: ownAppsOf([ownApp()]) });
  renderDashboard(dashboard, <AppPage name={app.name} tab="versions" />);
  const panel = within(screen.getByRole('region', { name: 'Installed: 1.0.0' }));
  expect(panel.getByText(/^your folder/)).toHaveTextContent(`your folder ${folder}, see it under Create`);
  expect(panel.getByText(/^Your changes apply at once/)).toBeVisible();
  const links = panel.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(links).toEqual([`#/apps/own/${ownAppId}`, `#/apps/own/${ownAppId}`]);
});
