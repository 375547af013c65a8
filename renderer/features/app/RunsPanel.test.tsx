import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { OutputPage } from '../../../daemon/contract/apps/runs.ts';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { crashOf, lines, outputPage } from '../../testing/fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { RunsPanel } from './RunsPanel.tsx';

const crash = crashOf('dance', { runId: 'second', endedAt: '2026-03-01T10:00:42.000Z' });
const fine = crashOf('dance', { runId: 'first', outcome: 'finished', exitCode: 0, message: 'It has finished.' });

test('each run shows its start, outcome, duration and exit code, and a new one comes first', async () => {
  const dashboard = testDashboard({ listRuns: () => [fine] });
  renderDashboard(dashboard, <RunsPanel appName="dance" run={null} />);
  await act(async () => {});
  expect(dashboard.calls[0]?.input).toEqual({ query: { app: 'dance', limit: 50 } });
  act(() => dashboard.store.getState().apply({ type: 'app-run.ended', run: crash }));
  act(() => dashboard.store.getState().apply({ type: 'app-run.ended', run: crash }));
  act(() => dashboard.store.getState().apply({ type: 'app-run.ended', run: crashOf('other') }));
  const rows = screen.getAllByRole('listitem');
  expect(rows).toHaveLength(2);
  expect(rows[0]).toHaveTextContent(/crashed.*42 s · exit code 1 · 1\.0\.0/);
  expect(rows[1]).toHaveTextContent(/finished.*0\.0 s · exit code 0/);
  expect(within(rows[0] as HTMLElement).getByRole('link')).toHaveAttribute('href', '#/apps/dance?tab=runs&run=second');
});

test('an app without runs says so; a list that fails to load says why', async () => {
  const { unmount } = renderDashboard(testDashboard({ listRuns: () => [] }), <RunsPanel appName="dance" run={null} />);
  expect(await screen.findByRole('heading', { name: 'No runs yet' })).toBeVisible();
  unmount();
  const refuse = () => Promise.reject(new DaemonError(500, 'The disk is gone.'));
  renderDashboard(testDashboard({ listRuns: refuse }), <RunsPanel appName="dance" run={null} />);
  expect(await screen.findByText('The runs could not be loaded: The disk is gone.')).toBeVisible();
});

test('the output of a run is shown by pages, the last one first', async () => {
  const answer = ({ query: { after } }: { query: { after?: number } }): OutputPage => {
    const from = Math.max(201, (after ?? 701) + 1);
    return outputPage({
      runId: 'second',
      appName: 'dance',
      firstKept: 201,
      last: 1_201,
      lines: lines(from, Math.min(1_201, from + 499)),
    });
  };
  const dashboard = testDashboard({ listRuns: () => [crash], getRunOutput: answer });
  renderDashboard(dashboard, <RunsPanel appName="dance" run="second" />);
  expect(await screen.findByText('Lines 702 to 1,201 of 1,201. 200 earlier lines are no longer kept.')).toBeVisible();
  expect(screen.getByText('crashed')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Later lines' })).toBeDisabled();
  await userEvent.click(screen.getByRole('button', { name: 'Earlier lines' }));
  expect(await screen.findByText(/^Lines 202 to 701 of 1,201/)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Earlier lines' }));
  expect(await screen.findByText(/^Lines 201 to 700 of 1,201/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Earlier lines' })).toHaveAttribute('aria-disabled', 'true');
  await userEvent.click(screen.getByRole('button', { name: 'Later lines' }));
  expect(await screen.findByText(/^Lines 701 to 1,200 of 1,201/)).toBeVisible();
});

test('discarded output is reported', async () => {
  const refuse = () => Promise.reject(new DaemonError(404, 'Its output is no longer kept.'));
  renderDashboard(
    testDashboard({ listRuns: () => [fine], getRunOutput: refuse }),
    <RunsPanel appName="dance" run="first" />,
  );
  expect(await screen.findByText('The output could not be loaded: Its output is no longer kept.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'All runs' })).toHaveAttribute('href', '#/apps/dance?tab=runs');
});
