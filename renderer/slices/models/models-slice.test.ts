import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { ModelPage } from '../../../daemon/contract/catalog/models.ts';
import { testDashboard } from '../../testing/fake-daemon.ts';
import {
  catalogSource,
  endpointListing,
  modelDetail,
  modelPage,
  modelSummary,
  ownEndpoint,
  session,
} from '../../testing/model-fixtures.ts';
import { isPending } from '../base/commands.ts';
import { isNewerThan } from './catalog-source-slice.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const found = (id: string) => modelPage([modelSummary(id)]);

test('the query of the address is sent to the daemon, with a page', async () => {
  const dashboard = testDashboard({ listModels: () => found('anna/big') });
  await dashboard.store.getState().loadModels('task=translation&fits=true&page=2');
  expect(dashboard.calls[0]?.input).toMatchObject({
    query: { search: '', task: 'translation', fits: true, sort: 'newest', page: 2, limit: 24 },
  });
});

test('an outdated query is aborted, and its reply ignored', async () => {
  const asked: { answer: (page: ModelPage) => void; signal: AbortSignal }[] = [];
  const { store } = testDashboard({
    listModels: ({ signal }: { signal: AbortSignal }) =>
      new Promise<ModelPage>((answer) => asked.push({ answer, signal })),
  });
  void store.getState().loadModels('search=old');
  void store.getState().loadModels('search=new');
  expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  asked[1]?.answer(found('anna/new'));
  await vi.advanceTimersByTimeAsync(0);
  asked[0]?.answer(found('anna/old'));
  await vi.advanceTimersByTimeAsync(0);
  expect(store.getState().modelPage).toMatchObject({ state: 'loaded', value: { models: [{ repoId: 'anna/new' }] } });
});

test('the reply about a model that is no longer shown is ignored', async () => {
  const answers: (() => void)[] = [];
  const { store } = testDashboard({
    getModel: ({ params: { author, model } }: { params: { author: string; model: string } }) =>
      new Promise((resolve) => answers.push(() => resolve(modelDetail(`${author}/${model}`)))),
  });
  void store.getState().loadModel('anna/first');
  void store.getState().loadModel('anna/second');
  answers[0]?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(store.getState().model).toEqual({ id: 'anna/second', detail: { state: 'loading', value: null } });
});

test('a name is looked up in all namespaces after a pause in typing, but not with a remote catalog', async () => {
  const { store, calls } = testDashboard({
    listOwnEndpoints: ({ query: { name } }: { query: { name: string } }) =>
      endpointListing(name === 'free' ? [] : [{ ...ownEndpoint(name), namespace: 'other' }]),
  });
  for (const name of ['o', 'ou', 'ours']) {
    store.getState().lookUpName(name);
    await vi.advanceTimersByTimeAsync(200);
  }
  await vi.advanceTimersByTimeAsync(50);
  expect(calls).toMatchObject([{ name: 'listOwnEndpoints', input: { query: { name: 'ours' } } }]);
  expect(store.getState().nameLookedUp).toEqual({ name: 'ours', taken: true });
  store.getState().lookUpName('free');
  await vi.advanceTimersByTimeAsync(250);
  expect(store.getState().nameLookedUp).toEqual({ name: 'free', taken: false });
  const remote = { kind: 'remote', url: 'https://c.example/api/v1', hasToken: true, fetchedAt: null } as const;
  const catalogSource = { ...remote, problem: null, total: 3 };
  store.getState().apply({ type: 'catalog-source.changed', catalogSource });
  store.getState().lookUpName('ours');
  await vi.advanceTimersByTimeAsync(250);
  expect(calls).toHaveLength(2);
  expect(store.getState().nameLookedUp).toBeNull();
});

test('a deploy is sent once; a 401 loads the session again', async () => {
  let signedIn = true;
  const { store, calls } = testDashboard({
    getSession: () => session({ signedIn }),
    deployCatalogRecipe: () => {
      signedIn = false;
      throw new DaemonError(401, 'Not signed in.');
    },
  });
  await store.getState().loadSession();
  expect(await store.getState().deploy('big-q4', { name: 'big' })).toBe(false);
  expect(calls.slice(1)).toEqual([
    {
      name: 'deployCatalogRecipe',
      input: { params: { recipePublicId: 'big-q4' }, body: { namespace: 'local', config: { name: 'big' } } },
    },
    { name: 'getSession', input: undefined },
  ]);
  expect(store.getState().session?.value?.signedIn).toBe(false);
  expect(isPending('deploy')(store.getState())).toBe(false);
});

test('a catalog that was refreshed or replaced is newer than a loaded page', () => {
  const page = modelPage([], { source: catalogSource() });
  expect(isNewerThan(catalogSource(), page)).toBe(false);
  expect(isNewerThan(catalogSource({ problem: 'It does not answer.' }), page)).toBe(false);
  expect(isNewerThan(catalogSource({ kind: 'remote', url: 'https://x.test/api/v1' }), page)).toBe(true);
  expect(isNewerThan(catalogSource({ fetchedAt: '2026-03-02T10:00:00.000Z' }), page)).toBe(true);
});
