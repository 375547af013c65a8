import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { RunOutputPage } from '../../../daemon/contract/apps/runs.ts';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { crashOf, lines } from '../../testing/fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import type { LineQuery } from '../output/FollowedPages.tsx';
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

/** Lines 201 to 1,201, of which every tenth is on stderr; 100 of them were too fast to be kept. */
function answer({ query: { after, before, text = '', errors = false } }: { query: LineQuery }): RunOutputPage {
  const all = lines(201, 1_201).filter(({ number }) => number <= 400 || number > 500);
  const kept = all.map((line) => (line.number % 10 === 0 ? { ...line, stream: 'stderr' as const } : line));
  const matching = kept.filter((line) => line.text.includes(text) && (!errors || line.stream === 'stderr'));
  const inside = matching.filter(({ number }) => number > (after ?? 0) && number < (before ?? 9_999));
  const shown = after === undefined ? inside.slice(-500) : inside.slice(0, 500);
  const first = matching.findIndex(({ number }) => number === shown[0]?.number);
  const counts = { kept: kept.length, matches: matching.length, before: Math.max(0, first) };
  return { runId: 'second', appName: 'dance', firstKept: 201, last: 1_201, lines: shown, ...counts };
}

test('the output of a run is shown by pages, the last one first, with one number of kept lines', async () => {
  const dashboard = testDashboard({ listRuns: () => [crash], getRunOutput: answer });
  renderDashboard(dashboard, <RunsPanel appName="dance" run="second" />);
  const lost = '300 more lines of this run were not kept.';
  expect(await screen.findByText(`402 to 901 of 901 lines. ${lost}`)).toBeVisible();
  expect(screen.getByText('crashed')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Later lines' })).toBeDisabled();
  await userEvent.click(screen.getByRole('button', { name: 'Earlier lines' }));
  expect(await screen.findByText(`1 to 401 of 901 lines. ${lost}`)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Earlier lines' })).toHaveAttribute('aria-disabled', 'true');
  await userEvent.click(screen.getByRole('button', { name: 'Later lines' }));
  expect(await screen.findByText(`402 to 901 of 901 lines. ${lost}`)).toBeVisible();
});

test('the output of a run is searched where the user stops typing, and its errors are shown alone', async () => {
  const dashboard = testDashboard({ listRuns: () => [crash], getRunOutput: answer });
  renderDashboard(dashboard, <RunsPanel appName="dance" run="second" />);
  await screen.findByText(/^402 to 901/);
  const queries = () =>
    dashboard.calls.flatMap(({ name, input }) => (name === 'getRunOutput' ? [(input as { query: object }).query] : []));
  const search = screen.getByRole('textbox', { name: 'Search the output' });
  await userEvent.click(search);
  await userEvent.paste(' line 120 ');
  expect(await screen.findByText('2 matches in 901 lines. 300 more lines of this run were not kept.')).toBeVisible();
  expect(queries()).toEqual([{}, { text: 'line 120' }]);
  const marks = await screen.findAllByText('line 120'); // marked after the summary
  expect(marks.map(({ tagName }) => tagName)).toEqual(['MARK', 'MARK']);
  await userEvent.click(screen.getByRole('switch', { name: 'Errors only' }));
  expect(await screen.findByText(/^1 match in 901 lines/)).toBeVisible();
  await userEvent.click(search);
  await userEvent.paste('x');
  expect(await screen.findByText(/^0 matches in 901 lines/)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Clear the search' }));
  expect(await screen.findByText(/^90 matches in 901 lines/)).toBeVisible();
  expect(queries().at(-1)).toEqual({ errors: true });
});

test('matches are not taken for the whole output while that loads', async () => {
  const whole = Promise.withResolvers<RunOutputPage>();
  let isHeld = false;
  const getRunOutput = (input: Parameters<typeof answer>[0]) =>
    isHeld && input.query.text === undefined ? whole.promise : answer(input);
  renderDashboard(testDashboard({ listRuns: () => [crash], getRunOutput }), <RunsPanel appName="dance" run="second" />);
  await screen.findByText(/^402 to 901/);
  await userEvent.click(screen.getByRole('textbox', { name: 'Search the output' }));
  await userEvent.paste('line 120');
  await screen.findByText(/^2 matches in 901 lines/);
  isHeld = true;
  await userEvent.click(screen.getByRole('button', { name: 'Clear the search' }));
  expect(screen.getByText(/^2 matches in 901 lines/)).toBeVisible();
  whole.resolve(answer({ query: {} }));
  expect(await screen.findByText(/^402 to 901 of 901 lines/)).toBeVisible();
});

test('the output of a run is saved to a file, or the matches of a search; a failure says why', async () => {
  const file = { name: 'dance-2026.txt', text: '# dance' };
  let fails = false;
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] }); // a saved text is released later
  const getRunOutputFile = () => (fails ? Promise.reject(new DaemonError(404, 'No longer kept.')) : file);
  const saved: string[] = [];
  const create = vi.fn((blob: Blob) => `blob:${blob.size} ${blob.type}`);
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: create, revokeObjectURL: () => {} }));
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(`${this.download} ${this.href}`);
  });
  const dashboard = testDashboard({ listRuns: () => [crash], getRunOutput: answer, getRunOutputFile });
  renderDashboard(dashboard, <RunsPanel appName="dance" run="second" />);
  await userEvent.click(await screen.findByRole('button', { name: 'Save all of the output to a file' }));
  expect(await screen.findByText('Saved as dance-2026.txt')).toBeVisible();
  expect(saved).toEqual(['dance-2026.txt blob:7 text/plain;charset=utf-8']);
  fails = true;
  await userEvent.click(screen.getByRole('textbox', { name: 'Search the output' }));
  await userEvent.paste(' line 120 ');
  const matches = screen.getByRole('button', { name: 'Save matches in the output to a file' });
  expect(matches).toHaveTextContent('Save matches');
  await userEvent.click(matches);
  expect(await screen.findByText('Not saved. No longer kept.')).toBeVisible();
  expect(dashboard.calls.flatMap(({ name, input }) => (name === 'getRunOutputFile' ? [input] : []))).toEqual([
    { params: { runId: 'second' }, query: {} },
    { params: { runId: 'second' }, query: { text: 'line 120' } },
  ]);
  click.mockRestore();
  vi.unstubAllGlobals();
  vi.useRealTimers();
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
