import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { endpoint, endpointListing, ownEndpoint, session } from '../../testing/model-fixtures.ts';
import { isPending, refusalOf } from '../base/commands.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a name is looked up in the namespace of the user after a pause in typing, but not with a remote catalog', async () => {
  const { store, calls } = testDashboard({
    listOwnEndpoints: ({ query: { name } }: { query: { name: string } }) =>
      endpointListing(name === 'free' ? [] : [ownEndpoint(name)]),
    getSession: () => session(),
  });
  await store.getState().loadSession();
  calls.length = 0;
  for (const name of ['o', 'ou', 'ours']) {
    store.getState().lookUpName(name);
    await vi.advanceTimersByTimeAsync(200);
  }
  await vi.advanceTimersByTimeAsync(50);
  expect(calls).toMatchObject([{ name: 'listOwnEndpoints', input: { query: { namespace: 'local', name: 'ours' } } }]);
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

test('the notifications of a deploy are switched on with a second request, whose failure is shown', async () => {
  let refuses = false;
  const { store, calls } = testDashboard({
    getSession: () => session(),
    deployCatalogRecipe: () => ({ endpoint: endpoint('big') }),
    updateEndpoint: () => (refuses ? Promise.reject(new DaemonError(507, 'The disk is full.')) : endpoint('big')),
  });
  await store.getState().loadSession();
  const notifications = { push: true, email: false };
  expect(await store.getState().deploy('big-q4', { name: 'big' }, notifications)).toBe(true);
  expect(calls.at(-1)).toEqual({
    name: 'updateEndpoint',
    input: { params: { namespace: 'local', name: 'big' }, body: { notifications } },
  });
  refuses = true;
  expect(await store.getState().deploy('big-q4', { name: 'big' }, notifications)).toBe(false);
  expect(refusalOf('deploy')(store.getState())?.message).toBe(
    'The endpoint "big" is deployed, but its notifications are not switched on: The disk is full.',
  );
  const before = calls.length;
  expect(await store.getState().deploy('big-q4', { name: 'big' })).toBe(true);
  expect(calls.slice(before).map(({ name }) => name)).toEqual(['deployCatalogRecipe']);
});
