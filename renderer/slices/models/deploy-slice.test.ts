import { expect, test } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { endpoint, session } from '../../testing/model-fixtures.ts';
import { isPending, refusalOf } from '../base/commands.ts';
import { isSignedIn } from '../daemon/session-slice.ts';

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
  expect(isSignedIn(store.getState())).toBe(false);
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
