import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { DaemonSnapshot } from '../../../daemon/contract/daemon.ts';
import { useRoute } from '../../navigation/route.ts';
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
import { following } from '../../testing/follow-address.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { DiscoverPanel } from './DiscoverPanel.tsx';

afterEach(() => void vi.useRealTimers());

const dance = storeApp('anna/dance', { title: 'Dance' });
const wave = storeApp('ben/wave', { title: 'Wave', likes: 1, private: true });

function Panel() {
  return <DiscoverPanel query={useRoute().query} />;
}

async function renderPanel(snapshot: Partial<DaemonSnapshot> = {}, answers: Answers = {}, query = '') {
  window.location.hash = `#/apps?tab=discover&${query}`;
  const dashboard = testDashboard({ listStore: () => storePage([dance, wave]), ...answers }, snapshot);
  renderDashboard(dashboard, <Panel />);
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

test('the address has the page, the sort order and the search, which a reload and Back read from it', async () => {
  const { calls } = await renderPanel(
    {},
    {
      listStore: ({ query: { page } }: { query: { page: number } }) =>
        storePage([dance], { matches: 150, page, pages: 7 }),
    },
    'page=2',
  );
  expect(screen.getByText('150 apps')).toHaveTextContent('150 apps, page 2 of 7');
  expect(screen.getByRole('link', { name: 'Page 2' })).toHaveAttribute('aria-current', 'page');
  await following(() => userEvent.click(screen.getByRole('link', { name: 'Next page' })));
  expect(window.location.hash).toBe('#/apps?tab=discover&page=3');
  expect(screen.getByText('150 apps')).toHaveFocus();
  await following(() => userEvent.click(screen.getByRole('radio', { name: 'Updated' })));
  expect(window.location.hash).toBe('#/apps?tab=discover&sort=updated');
  window.history.back();
  await screen.findByRole('link', { name: 'Page 3', current: 'page' });
  expect(calls.map(({ input }) => input)).toMatchObject([
    { query: { page: 2, sort: 'popular', limit: 48 } },
    { query: { page: 3, sort: 'popular' } },
    { query: { page: 1, sort: 'updated' } },
    { query: { page: 3, sort: 'popular' } },
  ]);
});

test('an address with a page that the list no longer has leads to the last one', async () => {
  await renderPanel({}, { listStore: () => storePage([], { matches: 60, page: 99, pages: 2 }) }, 'page=99&sort=recent');
  expect(screen.getByRole('heading', { name: 'There is no page 99' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Show the last page' })).toHaveAttribute(
    'href',
    '#/apps?tab=discover&sort=recent&page=2',
  );
});

test('a search starts after a pause in typing, at the first page, and replaces the address', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { calls } = await renderPanel({}, {}, 'page=3&sort=recent');
  const before = window.history.length;
  const field = screen.getByRole('textbox', { name: 'Search apps' });
  for (const value of ['d', 'da', 'dan', 'dan ']) {
    fireEvent.change(field, { target: { value } });
    await act(() => vi.advanceTimersByTimeAsync(200));
  }
  expect(calls).toHaveLength(1);
  await act(() => vi.advanceTimersByTimeAsync(50));
  expect(window.location.hash).toBe('#/apps?tab=discover&search=dan&sort=recent');
  expect(window.history.length).toBe(before);
  expect(calls.map(({ input }) => input)).toMatchObject([
    { query: { page: 3 } },
    { query: { search: 'dan', page: 1 } },
  ]);
  expect(screen.getByRole('textbox', { name: 'Search apps' })).toHaveValue('dan ');
});

test('the results before stay until the answer, and only the last one counts', async () => {
  const answers: ((page: unknown) => void)[] = [];
  const signals: AbortSignal[] = [];
  await renderPanel(
    {},
    {
      listStore: ({ signal }: { signal: AbortSignal }) => {
        signals.push(signal);
        return new Promise((resolve) => answers.push(resolve));
      },
    },
  );
  await act(async () => answers[0]?.(storePage([dance])));
  for (const search of ['old', 'new']) {
    await following(() => {
      window.location.hash = `#/apps?tab=discover&search=${search}`;
    });
  }
  expect(screen.getByRole('article', { name: 'anna/dance' })).toBeVisible();
  expect(screen.getByRole('list', { name: 'Apps of the hub' })).toHaveAttribute('aria-busy', 'true');
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, true, false]);
  await act(async () => answers[2]?.(storePage([wave])));
  await act(async () => answers[1]?.(storePage([])));
  expect(screen.getAllByRole('article').map((card) => card.getAttribute('aria-label'))).toEqual(['ben/wave']);
});

test('a page is asked for again after a reconnect, and not while the daemon does not answer', async () => {
  const { store, calls } = await renderPanel();
  act(() => store.getState().setConnection({ phase: 'lost', retryAt: null, lastSeen: null }));
  await following(() => {
    window.location.hash = '#/apps?tab=discover&sort=recent';
  });
  expect(calls).toHaveLength(1);
  expect(screen.getByRole('article', { name: 'anna/dance' })).toBeVisible();
  await act(async () => store.getState().setConnection({ phase: 'open' }));
  expect(calls.map(({ input }) => input)).toMatchObject([
    { query: { sort: 'popular' } },
    { query: { sort: 'recent' } },
  ]);
});

test('a search without a result can be cleared', async () => {
  const { calls } = await renderPanel(
    {},
    { listStore: ({ query: { search } }: { query: { search: string } }) => storePage(search ? [] : [dance]) },
  );
  await userEvent.type(screen.getByRole('textbox', { name: 'Search apps' }), 'xyz');
  expect(await screen.findByRole('heading', { name: 'No app matches "xyz"' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Clear the search' })).toBeVisible();
  await userEvent.click(screen.getByRole('link', { name: 'Clear the search' }));
  expect(await screen.findByRole('article', { name: 'anna/dance' })).toBeVisible();
  expect(calls.map(({ input }) => input)).toMatchObject([{ query: { search: '' } }, { query: { search: 'xyz' } }, {}]);
  expect(screen.getByRole('textbox', { name: 'Search apps' })).toHaveValue('');
});

test('while the hub is read, an app that is not in the copy is waited for, not missed', async () => {
  let page = storePage([]);
  const { store } = await renderPanel({ store: storeStatus() }, { listStore: () => page }, 'search=wave');
  expect(screen.getByRole('heading', { name: 'No app matches "wave"' })).toBeVisible();
  act(() => store.getState().apply({ type: 'store.changed', store: storeStatus({ refreshing: true }) }));
  expect(screen.queryByText(/No app matches/)).toBeNull();
  expect(screen.getByText('Loading from the hub…')).toBeVisible();
  page = storePage([wave], { status: storeStatus({ fetchedAt: '2026-02-02T00:00:00.000Z' }) });
  act(() => store.getState().apply({ type: 'store.changed', store: page.status }));
  expect(screen.queryByText(/No app matches/)).toBeNull();
  expect(await screen.findByRole('article', { name: 'ben/wave' })).toBeVisible();
});

test('an empty list is asked for again when the hub was read; shown results never change by themselves', async () => {
  let page = storePage([], { status: storeStatus({ fetchedAt: null }) });
  const { store, calls } = await renderPanel({ store: storeStatus({ fetchedAt: null }) }, { listStore: () => page });
  page = storePage([dance]);
  await act(async () =>
    store.getState().apply({ type: 'store.changed', store: storeStatus({ fetchedAt: null, refreshing: true }) }),
  );
  expect(calls).toHaveLength(1);
  await act(async () => store.getState().apply({ type: 'store.changed', store: storeStatus() }));
  expect(await screen.findByRole('article', { name: 'anna/dance' })).toBeVisible();
  await act(async () =>
    store.getState().apply({ type: 'store.changed', store: storeStatus({ fetchedAt: '2026-03-02T10:00:00.000Z' }) }),
  );
  expect(calls).toHaveLength(2);
});

test('a failed refresh is reported, and the list is still asked for', async () => {
  const refuse = () => {
    throw new DaemonError(null, 'The daemon did not answer within 90 s. Try again.');
  };
  const { calls } = await renderPanel({}, { refreshStore: refuse });
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  expect(screen.getByText(/did not answer within 90 s/)).toBeVisible();
  expect(calls.map(({ name }) => name)).toEqual(['listStore', 'refreshStore', 'listStore']);
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

test('offline, the last copy can be browsed, with the reason why it is old, and that nothing can be installed said once', async () => {
  await renderPanel({ store: storeStatus({ problem: 'The hub does not answer.' }) });
  expect(screen.getByText('The hub does not answer.')).toBeVisible();
  expect(screen.getByText(/to install, the hub must be reachable\.$/)).toBeVisible();
  const install = cardOf('anna/dance').getByRole('button', { name: 'Install Dance' });
  expect(install).toBeDisabled();
  expect(install).toHaveAttribute('title', 'The hub cannot be reached.');
  expect(screen.queryByText('The hub cannot be reached.')).toBeNull();
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
  expect(await screen.findAllByText(/added/)).toHaveLength(2);
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
  await renderPanel({}, { listStore: () => page.promise });
  expect(screen.getByRole('status', { name: 'Loading' })).toBeInTheDocument();
  page.reject(new DaemonError(500, 'The copy of the store cannot be read.'));
  expect(await screen.findByText(/The copy of the store cannot be read\./)).toBeVisible();
  expect(screen.queryByRole('status', { name: 'Loading' })).toBeNull();
});

test('the hint about private apps is gone after a sign-in', async () => {
  const { store } = await renderPanel();
  expect(screen.getByRole('link', { name: 'Settings' })).toHaveAttribute('href', '#/settings');
  act(() => store.getState().apply({ type: 'hub-account.changed', hubAccount: { hub, name: 'anna', problem: null } }));
  expect(screen.queryByRole('link', { name: 'Settings' })).toBeNull();
});
