import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { failure, installJob } from '../../testing/fixtures.ts';
import { ownApp, ownAppId, ownAppsOf, ownAppWork } from '../../testing/own-app-fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { ActivityPage } from './ActivityPage.tsx';
import { JobProgress } from './JobProgress.tsx';

const transfer = { doneBytes: 12_400_000, totalBytes: 38_000_000, bytesPerSecond: 1_200_000, stalled: false };

test("a download replaces the job's detail, beside Cancel", async () => {
  const dashboard = testDashboard({ cancelJob: () => ({}) });
  renderDashboard(dashboard, <JobProgress job={installJob('dance', { transfer })} />);
  expect(screen.getByText('Downloading 12.4 of 38 MB, 1.2 MB/s, 25 s left')).toBeVisible();
  expect(screen.queryByText('Resolving 12 packages')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel install of dance' }));
  expect(dashboard.calls).toEqual([{ name: 'cancelJob', input: { params: { jobId: 'job-dance' } } }]);
});

test('a failed update is titled as an update and retried as one', async () => {
  const job = installJob('dance', { kind: 'update-app', state: 'failed', failure });
  const dashboard = testDashboard({ updateApp: () => job }, { jobs: [job] });
  renderDashboard(dashboard, <ActivityPage />);
  expect(screen.getByRole('article', { name: 'Update dance' })).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Try again to update dance' }));
  expect(dashboard.calls).toEqual([{ name: 'updateApp', input: { params: { appName: 'dance' } } }]);
});

test('a failed install of llama-server is retried as one', async () => {
  const change = { kind: 'install-runtime', subject: 'llama-server', appName: null, failure } as const;
  const jobs = [installJob('x', { ...change, state: 'failed' })];
  const dashboard = testDashboard({ installLlamaServer: () => jobs[0] }, { jobs });
  renderDashboard(dashboard, <ActivityPage />);
  expect(screen.getByRole('article', { name: 'Install llama-server' })).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Try again to install llama-server' }));
  expect(dashboard.calls.map(({ name }) => name)).toEqual(['installLlamaServer']);
});

test('a check of the installation that was cancelled is made again', async () => {
  const change = { kind: 'check-installation', subject: 'this installation', appName: null } as const;
  const jobs = [installJob('x', { ...change, state: 'cancelled' })];
  const dashboard = testDashboard({ checkInstallation: () => jobs[0] }, { jobs });
  renderDashboard(dashboard, <ActivityPage />);
  expect(screen.getByRole('article', { name: 'Check this installation' })).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Try again to check this installation' }));
  expect(dashboard.calls.map(({ name }) => name)).toEqual(['checkInstallation']);
});

test.each([
  ['check-app', 'problems-found', 'Check My first app', 'See the problems', '?tab=check'],
  ['check-app', 'network', 'Check My first app', 'See the check', '?tab=check'],
  ['publish-app', 'problems-found', 'Publish My first app', 'See the problems', '?tab=check'],
  ['publish-app', 'changed-elsewhere', 'Publish My first app', 'See the difference', '?tab=publish&publish='],
  ['publish-app', 'hub', 'Publish My first app', 'See the publication', '?tab=publish'],
] as const)('a %s that failed with %s leads to its app', (kind, reason, title, link, query) => {
  const jobs = [ownAppWork(kind, { state: 'failed', failure: { ...failure, reason } })];
  renderDashboard(testDashboard({}, { jobs, ownApps: ownAppsOf([ownApp()]) }), <ActivityPage />);
  expect(screen.getByRole('article', { name: title })).toBeVisible();
  expect(screen.getByRole('link', { name: `${link} of My first app` })).toHaveAttribute(
    'href',
    `#/apps/own/${ownAppId}${query}`,
  );
  expect(screen.queryByRole('button', { name: /Try again/ })).toBeNull();
});
