import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { DaemonSnapshot } from '../../../daemon/contract/daemon.ts';
import { type Answers, testDashboard } from '../../testing/fake-daemon.ts';
import {
  appFromHub,
  commit,
  hub,
  installJob,
  moment,
  storeApp,
  storePage,
  storeStatus,
} from '../../testing/fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { DiscoverPanel } from './DiscoverPanel.tsx';

const dance = storeApp('anna/dance', { title: 'Dance' });
const wave = storeApp('ben/wave', { title: 'Wave', likes: 1, private: true });

async function renderPanel(snapshot: Partial<DaemonSnapshot> = {}, answers: Answers = {}) {
  const dashboard = testDashboard({ listStore: () => storePage([dance, wave]), ...answers }, snapshot);
  renderDashboard(dashboard, <DiscoverPanel />);
  await act(async () => {});
  return dashboard;
}
const cardOf = (id: string) => within(screen.getByRole('article', { name: id }));

test("a card shows the app's title, likes, date and whether it is private", async () => {
  await renderPanel();
  expect(cardOf('anna/dance').getByRole('link', { name: 'Dance' })).toHaveAttribute('href', '#/apps/store/anna/dance');
  expect(cardOf('anna/dance').getByText('likes').parentElement).toHaveTextContent('12 likes');
  expect(cardOf('anna/dance').getByText('updated', { exact: false })).toBeVisible();
  expect(cardOf('anna/dance').queryByText('private', { exact: false })).toBeNull();
  expect(cardOf('ben/wave').getByText('like').parentElement).toHaveTextContent('1 like');
  expect(cardOf('ben/wave').getByText('private', { exact: false })).toBeVisible();
});

test('a card shows Install, then its progress, then the installed app, then its update', async () => {
  const { store, calls } = await renderPanel({}, { installApp: () => installJob('dance') });
  await userEvent.click(cardOf('anna/dance').getByRole('button', { name: 'Install Dance' }));
  expect(calls.at(-1)).toEqual({ name: 'installApp', input: { body: { url: dance.url } } });

  const job = installJob('dance', { subject: dance.url, appName: null });
  act(() => store.getState().apply({ type: 'job.changed', job }));
  expect(cardOf('anna/dance').getByRole('progressbar', { name: 'Installing Dance' })).toBeVisible();
  expect(cardOf('anna/dance').getByText('installing')).toBeVisible();
  expect(cardOf('anna/dance').queryByRole('button', { name: 'Install Dance' })).toBeNull();

  act(() => store.getState().apply({ type: 'job.changed', job: { ...job, state: 'done', appName: 'dance' } }));
  const installedApps = [appFromHub('dance')];
  act(() => store.getState().apply({ type: 'installed-apps.changed', installedApps }));
  expect(cardOf('anna/dance').getByRole('button', { name: 'Start dance' })).toBeEnabled();
  expect(cardOf('ben/wave').getByRole('button', { name: 'Install Wave' })).toBeEnabled();

  const update = { commit: commit('b'), seenAt: moment };
  act(() =>
    store.getState().apply({ type: 'installed-apps.changed', installedApps: [appFromHub('dance', { update })] }),
  );
  expect(cardOf('anna/dance').getByText(/update available/)).toBeVisible();
  expect(cardOf('anna/dance').getByRole('button', { name: 'Update dance' })).toBeEnabled();
});

test('the results are paged and sorted', async () => {
  const { calls } = await renderPanel({}, { listStore: () => storePage([dance], { matches: 150, page: 2, pages: 7 }) });
  expect(screen.getByText(/^Page 2 of 7/)).toHaveTextContent('150 apps');
  await userEvent.click(screen.getByRole('button', { name: 'Next' }));
  await userEvent.click(screen.getByRole('radio', { name: 'Updated' }));
  expect(calls.map(({ input }) => input)).toMatchObject([
    { query: { page: 1 } },
    { query: { page: 3, sort: 'popular' } },
    { query: { page: 1, sort: 'updated' } },
  ]);
});

test('a search without a result can be cleared', async () => {
  const { calls } = await renderPanel(
    {},
    { listStore: ({ query: { search } }: { query: { search: string } }) => storePage(search ? [] : [dance]) },
  );
  await userEvent.type(screen.getByRole('textbox', { name: 'Search apps' }), 'xyz');
  expect(await screen.findByRole('heading', { name: 'No app matches "xyz"' })).toBeVisible();
  const [, clear] = screen.getAllByRole('button', { name: 'Clear the search' });
  if (!clear) throw new Error('a way out in the field and one in the page');
  await userEvent.click(clear);
  expect(await screen.findByRole('article', { name: 'anna/dance' })).toBeVisible();
  expect(calls.at(-1)?.input).toMatchObject({ query: { search: '' } });
});

test("the age of the hub's copy is shown, and Refresh loads it again", async () => {
  const status = storeStatus({ fetchedAt: new Date(Date.now() - 5 * 60_000).toISOString() });
  const { calls } = await renderPanel(
    { store: status },
    { listStore: () => storePage([dance], { status }), refreshStore: () => status },
  );
  expect(screen.getByText('Loaded from the hub', { exact: false })).toHaveTextContent('Loaded from the hub 5 min ago');
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  expect(calls.slice(-2).map(({ name }) => name)).toEqual(['refreshStore', 'listStore']);
});

test('newer apps of the hub are shown on request', async () => {
  const { store, calls } = await renderPanel();
  const newer = storeStatus({ fetchedAt: '2026-03-02T10:00:00.000Z' });
  act(() => store.getState().apply({ type: 'store.changed', store: newer }));
  expect(calls).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: 'Show the newest' }));
  expect(calls).toHaveLength(2);
});

test('offline, the last copy can be browsed, with the reasons why it is old and nothing can be installed', async () => {
  await renderPanel({ store: storeStatus({ problem: 'The hub does not answer.' }) });
  expect(screen.getByText('The hub does not answer.')).toBeVisible();
  expect(cardOf('anna/dance').getByRole('button', { name: 'Install Dance' })).toBeDisabled();
  expect(cardOf('anna/dance').getByText('The hub cannot be reached.')).toBeVisible();
});

test('a hub that was never loaded shows the reason and Try again', async () => {
  const status = storeStatus({ fetchedAt: null, problem: 'This machine has no network.' });
  const { calls } = await renderPanel(
    { store: status },
    { listStore: () => storePage([], { status }), refreshStore: () => status },
  );
  expect(screen.getByRole('heading', { name: 'The apps of the hub are not loaded yet' })).toBeVisible();
  expect(screen.getByText(/^This machine has no network\./)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(calls.map(({ name }) => name)).toContain('refreshStore');
});

test('a search before the hub is loaded says that it is not loaded, not that nothing matches', async () => {
  const status = storeStatus({ fetchedAt: null });
  const { calls } = await renderPanel({ store: status }, { listStore: () => storePage([], { status }) });
  await userEvent.type(screen.getByRole('textbox', { name: 'Search apps' }), 'xyz');
  await waitFor(() => expect(calls.at(-1)?.input).toMatchObject({ query: { search: 'xyz' } })); // after a pause in typing
  expect(screen.getByRole('heading', { name: 'The apps of the hub are not loaded yet' })).toBeVisible();
  expect(screen.queryByText(/No app matches/)).toBeNull();
});

test('a card shows the date that the list is sorted by', async () => {
  await renderPanel();
  expect(cardOf('anna/dance').getByText(/updated/)).toBeVisible();
  await userEvent.click(screen.getByRole('radio', { name: 'Recent' }));
  expect(cardOf('anna/dance').getByText(/added/)).toBeVisible();
});

test('the last problem of the hub is hidden during a refresh', async () => {
  const problem = 'The hub does not answer.';
  const { store } = await renderPanel({ store: storeStatus({ problem }) });
  expect(screen.getByText(problem)).toBeVisible();
  act(() => store.getState().apply({ type: 'store.changed', store: storeStatus({ problem, refreshing: true }) }));
  expect(screen.queryByText(problem)).toBeNull();
});

test('placeholders are shown while the first page loads; a failed load says why', async () => {
  const page = Promise.withResolvers<never>();
  const { store } = await renderPanel({}, { listStore: () => page.promise });
  expect(screen.getByRole('status', { name: 'Loading' })).toBeInTheDocument();
  page.reject(new DaemonError(500, 'The copy of the store cannot be read.'));
  expect(await screen.findByText(/The copy of the store cannot be read\./)).toBeVisible();
  expect(screen.queryByRole('status', { name: 'Loading' })).toBeNull();
  expect(store.getState().storePage?.state).toBe('failed');
});

test('the hint about private apps is gone after a sign-in', async () => {
  const { store } = await renderPanel();
  expect(screen.getByRole('link', { name: 'Settings' })).toHaveAttribute('href', '#/settings');
  act(() => store.getState().apply({ type: 'hub-account.changed', hubAccount: { hub, name: 'anna', problem: null } }));
  expect(screen.queryByRole('link', { name: 'Settings' })).toBeNull();
});
