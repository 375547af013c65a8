import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Job } from '../../../daemon/contract/jobs.ts';
import { useRoute } from '../../navigation/route.ts';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { failure, installJob } from '../../testing/fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { ActivityPage } from './ActivityPage.tsx';

const job = (name: string, minute: number, change: Partial<Job>) =>
  installJob(name, { createdAt: `2026-03-01T10:0${minute}:00.000Z`, ...change });
const failed = job('box', 1, { state: 'failed', failure });
const running = job('dance', 2, { state: 'running' });
const next = job('mood', 3, { state: 'queued', startedAt: null });
const later = job('wave', 4, { state: 'queued', startedAt: null });

function Page() {
  return <ActivityPage query={useRoute().query} />;
}
function renderPage(jobs: readonly Job[], hash = '#/activity') {
  window.location.hash = hash;
  const dashboard = testDashboard({ cancelJob: () => running }, { jobs: [...jobs] });
  renderDashboard(dashboard, <Page />);
  return dashboard;
}
const shown = () => screen.queryAllByRole('article').map((row) => row.getAttribute('aria-label'));

test('what runs is above what waits, and what waits says for how many', () => {
  renderPage([later, next, running, failed]);
  expect(shown()).toEqual(['Install dance', 'Install mood', 'Install wave', 'Install box']);
  const row = within(screen.getByRole('article', { name: 'Install wave' }));
  expect(row.getByText('queued')).toBeVisible();
  expect(row.getByText('It waits for 2 other jobs.')).toBeVisible();
});

test('the filter is part of the address', async () => {
  renderPage([later, next, running, failed]);
  await userEvent.click(screen.getByRole('radio', { name: 'Failed' }));
  expect(window.location.hash).toBe('#/activity?show=failed');
  expect(shown()).toEqual(['Install box']);
  expect(screen.getByText('1 job')).toBeVisible();
});

test('an address with a filter shows what it names, or that there is none', () => {
  renderPage([failed], '#/activity?show=active');
  expect(screen.getByRole('radio', { name: 'Under way' })).toBeChecked();
  expect(screen.getByText('Nothing runs or waits.')).toBeVisible();
});

test('all jobs are cancelled with one button, those that wait first, so that none of them begins', async () => {
  const { calls } = renderPage([later, next, running, failed]);
  await userEvent.click(screen.getByRole('button', { name: 'Cancel all 3 jobs' }));
  expect(calls.map(({ input }) => (input as { params: { jobId: string } }).params.jobId)).toEqual([
    'job-wave',
    'job-mood',
    'job-dance',
  ]);
  expect(screen.getByText('4 jobs')).toHaveFocus();
});

test('a single job has its own Cancel only', () => {
  renderPage([running, failed]);
  expect(screen.queryByRole('button', { name: /^Cancel all/ })).toBeNull();
  expect(screen.getByRole('button', { name: 'Cancel install of dance' })).toBeEnabled();
});

test('no job moves while the focus is in the list; the order is put right once it has left', async () => {
  const { store } = renderPage([next, running]);
  act(() => screen.getByRole('button', { name: 'Full log of dance' }).focus());
  act(() => store.getState().apply({ type: 'job.changed', job: { ...running, state: 'done' } }));
  act(() => store.getState().apply({ type: 'job.changed', job: later }));
  expect(shown()).toEqual(['Install dance', 'Install mood', 'Install wave']);
  expect(screen.getByRole('button', { name: 'Full log of dance' })).toHaveFocus();
  act(() => screen.getByRole('radio', { name: 'All' }).focus());
  await waitFor(() => expect(shown()).toEqual(['Install mood', 'Install wave', 'Install dance']));
});

test('the whole log of a job is asked for on request, and again when the job has ended', async () => {
  let lines = ['fetching'];
  const dashboard = testDashboard({ getJobLog: () => ({ lines, truncated: true }) }, { jobs: [running] });
  renderDashboard(dashboard, <ActivityPage />);
  await userEvent.click(screen.getByRole('button', { name: 'Full log of dance' }));
  expect(await screen.findByText('fetching')).toBeVisible();
  expect(screen.getByText('The beginning of this log is no longer kept.')).toBeVisible();
  lines = ['fetching', 'done'];
  act(() => dashboard.store.getState().apply({ type: 'job.changed', job: { ...running, state: 'done' } }));
  expect(await screen.findByText(/done$/, { selector: 'pre *' })).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Hide log of dance' }));
  expect(screen.queryByRole('log')).toBeNull();
  expect(dashboard.calls.map(({ name }) => name)).toEqual(['getJobLog', 'getJobLog']);
});
