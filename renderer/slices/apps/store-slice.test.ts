import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { StorePage } from '../../../daemon/contract/apps/store.ts';
import { installedFrom } from '../../features/discover/installed-state.ts';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { appFromHub, installedApp, storeApp, storePage, storeStatus } from '../../testing/fixtures.ts';
import { refusalOf } from '../base/commands.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const found = (id: string) => storePage([storeApp(id)]);
const queriesOf = ({ calls }: ReturnType<typeof testDashboard>) =>
  calls.map(({ input }) => (input as { query: unknown }).query);

test('a search starts after a pause in typing, at the first page', async () => {
  const dashboard = testDashboard({ listStore: () => found('anna/dance') });
  const { browseStore, searchStore } = dashboard.store.getState();
  await browseStore({ page: 3 });
  for (const text of ['d', 'da', 'dan ']) {
    searchStore(text);
    await vi.advanceTimersByTimeAsync(200);
  }
  expect(dashboard.calls).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(50);
  expect(queriesOf(dashboard)).toEqual([
    { search: '', sort: 'popular', page: 3, limit: 24 },
    { search: 'dan', sort: 'popular', page: 1, limit: 24 },
  ]);
  expect(dashboard.store.getState().storeQuery.search).toBe('dan ');
});

test('the reply to the last query wins; the previous results stay until then', async () => {
  const answers: ((page: StorePage) => void)[] = [];
  const { store } = testDashboard({ listStore: () => new Promise<StorePage>((resolve) => answers.push(resolve)) });
  void store.getState().browseStore({ search: 'old' });
  void store.getState().browseStore({ search: 'new' });
  answers[1]?.(found('anna/new'));
  await vi.advanceTimersByTimeAsync(0);
  answers[0]?.(found('anna/old'));
  await vi.advanceTimersByTimeAsync(0);
  expect(store.getState().storePage).toMatchObject({
    state: 'loaded',
    value: { search: 'new', apps: [{ id: 'anna/new' }] },
  });

  void store.getState().browseStore({ search: 'third' });
  expect(store.getState().storePage).toMatchObject({ state: 'loading', value: { search: 'new' } });
});

test('an empty store is loaded again after a refresh of the hub; shown results never change', async () => {
  let page = storePage([], { status: storeStatus({ fetchedAt: null }) });
  const dashboard = testDashboard({ listStore: () => page });
  const { apply, loadStore } = dashboard.store.getState();
  await loadStore();
  page = found('anna/dance');
  apply({ type: 'store.changed', store: storeStatus({ fetchedAt: null, refreshing: true }) });
  expect(dashboard.calls).toHaveLength(1);
  apply({ type: 'store.changed', store: storeStatus() });
  await vi.advanceTimersByTimeAsync(0);
  expect(dashboard.store.getState().storePage?.value?.apps).toHaveLength(1);
  apply({ type: 'store.changed', store: storeStatus({ fetchedAt: '2026-03-02T10:00:00.000Z' }) });
  expect(dashboard.calls).toHaveLength(2);
});

test('a failed refresh still loads the list', async () => {
  const dashboard = testDashboard({
    refreshStore: () => {
      throw new DaemonError(null, 'The daemon did not answer within 90 s. Try again.');
    },
    listStore: () => found('anna/dance'),
  });
  await dashboard.store.getState().refreshStore();
  const state = dashboard.store.getState();
  expect(refusalOf('store')(state)?.message).toBe('The daemon did not answer within 90 s. Try again.');
  expect(state.storePage?.state).toBe('loaded');
});

test('the reply about an app that is no longer shown is ignored', async () => {
  const answers: (() => void)[] = [];
  const { store } = testDashboard({
    getStoreApp: ({ params: { owner, name } }: { params: { owner: string; name: string } }) =>
      new Promise((resolve) => answers.push(() => resolve(storeApp(`${owner}/${name}`)))),
  });
  void store.getState().loadStoreApp('anna/first');
  void store.getState().loadStoreApp('anna/second');
  answers[0]?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(store.getState().storeApp).toEqual({ id: 'anna/second', detail: { state: 'loading', value: null } });
});

test('an app counts as installed by its repository, not by its name', () => {
  const dance = appFromHub('dance');
  expect(installedFrom('Anna/Dance', [dance])).toBe(dance);
  expect(installedFrom('ben/dance', [dance])).toBeUndefined();
  expect(installedFrom('anna/dance', [installedApp('dance')])).toBeUndefined();
});
