import { act, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { EndpointLog } from '../../../daemon/contract/endpoints/endpoint-log.ts';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { ownEndpoint, session } from '../../testing/model-fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { EndpointLogPanel } from './EndpointLogPanel.tsx';

interface Query {
  readonly after?: number;
  readonly before?: number;
  readonly text?: string;
  readonly errors?: boolean;
}

const first = { last: 1_000, kept: 500, logId: 'a' };
const given = { ...first };

/** The log of an endpoint of whose lines every second tells of an error, as the daemon pages it. */
function logOf({ query: { after, before, text = '', errors = false } }: { query: Query }): EndpointLog {
  const { last, kept, logId } = given;
  const all = Array.from({ length: kept }, (_, at) => {
    const number = last - kept + at + 1;
    const isError = number % 2 === 0;
    return { number, text: `line ${number}`, truncated: false, isError, at: '2026-11-21T11:00:00.000Z' };
  });
  const matching = all.filter((line) => line.text.includes(text) && (!errors || line.isError));
  const inside = matching.filter(({ number }) => number > (after ?? 0) && number < (before ?? 1e9));
  const lines = after === undefined ? inside.slice(-100) : inside.slice(0, 100);
  const counts = { kept, matches: matching.length, before: lines[0] ? matching.indexOf(lines[0]) : 0 };
  return { logId, firstKept: all[0]?.number ?? 1, last, ...counts, lines };
}

async function renderLog(answers = {}) {
  Object.assign(given, first);
  const dashboard = testDashboard({ getSession: () => session(), getEndpointLog: logOf, ...answers });
  const detail = { ...ownEndpoint('ours'), life: [] };
  renderDashboard(dashboard, <EndpointLogPanel detail={detail} />);
  await act(async () => {});
  await screen.findByText('line 1000');
  return dashboard;
}

const button = (name: string) => screen.getByRole('button', { name });
const grow = (dashboard: Awaited<ReturnType<typeof renderLog>>, last: number) => {
  given.last = last;
  act(() => dashboard.store.getState().apply({ type: 'endpoint-log.grew', namespace: 'local', name: 'ours', last }));
};

test('all matches of a search are reached by pages, and those shown are copied', async () => {
  const user = userEvent.setup(); // with a clipboard
  await renderLog();
  await user.click(screen.getByRole('switch', { name: 'Errors only' }));
  const lost = '500 more lines of this log were not kept.';
  expect(await screen.findByText(`151 to 250 of 250 matches in 500 lines. ${lost}`)).toBeVisible();
  expect(button('Later lines')).toBeDisabled();
  await userEvent.click(button('Earlier lines'));
  expect(await screen.findByText(`51 to 150 of 250 matches in 500 lines. ${lost}`)).toBeVisible();
  await userEvent.click(button('Earlier lines'));
  expect(await screen.findByText(`1 to 50 of 250 matches in 500 lines. ${lost}`)).toBeVisible();
  expect(await screen.findByText('line 502')).toBeVisible();
  await user.click(button('Copy these lines'));
  expect((await navigator.clipboard.readText()).split('\n')).toEqual(
    Array.from({ length: 50 }, (_, at) => `line ${502 + 2 * at}`),
  );
  expect(screen.queryByRole('button', { name: 'Copy the log' })).toBeNull();
  await userEvent.click(button('Later lines'));
  expect(await screen.findByText(/^51 to 150 of/)).toBeVisible();
});

test('a search follows a log that does not stop growing', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const dashboard = await renderLog();
  await userEvent.click(screen.getByRole('switch', { name: 'Errors only' }));
  await screen.findByText(/^151 to 250/);
  for (let last = 1_001; last <= 1_020; last++) {
    grow(dashboard, last);
    await act(() => vi.advanceTimersByTimeAsync(200));
  }
  expect(await screen.findByText('line 1010')).toBeVisible();
  vi.useRealTimers();
});

test('lines older than those that the page keeps are reached without a search', async () => {
  const dashboard = await renderLog();
  for (const last of [1_050, 1_100]) {
    grow(dashboard, last);
    await screen.findByText(`line ${last}`);
  }
  await userEvent.click(button('All that is kept of this log'));
  expect(await screen.findByText(/^401 to 500 of 500 lines\. 600 more lines/)).toBeVisible();
  await userEvent.click(button('Earlier lines'));
  expect(await screen.findByText(/^301 to 400 of 500 lines\./)).toBeVisible();
  await userEvent.click(button('Follow the newest'));
  expect(await screen.findByRole('log', { name: 'Output of ours' })).toBeVisible();
});

test('another log begins with its newest page', async () => {
  const dashboard = await renderLog();
  await userEvent.click(screen.getByRole('switch', { name: 'Errors only' }));
  await screen.findByText(/^151 to 250/);
  await userEvent.click(button('Earlier lines'));
  await screen.findByText(/^51 to 150/);
  Object.assign(given, { last: 10, kept: 10, logId: 'b' });
  act(() =>
    dashboard.store.getState().apply({ type: 'endpoint-log.grew', namespace: 'local', name: 'ours', last: 10 }),
  );
  expect(await screen.findByText('5 matches in 10 lines.')).toBeVisible();
});

test('a search is saved with all of its matches, and without one everything', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] }); // a saved text is released later
  const save = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => {} }));
  const dashboard = await renderLog({ getEndpointLogFile: () => ({ name: 'ours.txt', text: '# ours' }) });
  const queries = () =>
    dashboard.calls.flatMap(({ name, input }) =>
      name === 'getEndpointLogFile' ? [(input as { query: Query }).query] : [],
    );
  await userEvent.click(button('Save all of the log to a file'));
  await waitFor(() => expect(queries()).toEqual([{}]));
  await userEvent.click(screen.getByRole('switch', { name: 'Errors only' }));
  await userEvent.click(screen.getByRole('textbox', { name: 'Search the output' }));
  await userEvent.paste(' 99 ');
  await userEvent.click(button('Save matches in the log to a file'));
  await waitFor(() => expect(queries()).toEqual([{}, { text: '99', errors: true }]));
  save.mockRestore();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
