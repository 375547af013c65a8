import { act, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { DaemonSnapshot } from '../../../daemon/contract/daemon.ts';
import type { EndpointState, OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { installedApp, slotHeldBy } from '../../testing/fixtures.ts';
import { endpoint, endpointListing, ownEndpoint } from '../../testing/model-fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { RunningEndpoints } from './NowRunning.tsx';

const endpointIn = (name: string, state: EndpointState): OwnEndpoint =>
  ownEndpoint(name, { status: { ...endpoint(name).status, state } });

/** A daemon that has these endpoints, and lists at most `limit` of a state. */
async function renderList(all: readonly OwnEndpoint[], more: Partial<DaemonSnapshot> = {}) {
  const states: Partial<Record<EndpointState, number>> = {};
  for (const { endpoint: each } of all) states[each.status.state] = (states[each.status.state] ?? 0) + 1;
  const dashboard = testDashboard(
    {
      listOwnEndpoints: ({ query }: { query: { state?: string; limit: number } }) => {
        const matching = all.filter(({ endpoint: each }) => each.status.state === query.state);
        return endpointListing(matching.slice(0, query.limit), { matches: matching.length });
      },
    },
    { endpoints: { total: all.length, revision: 1, states }, ...more },
  );
  renderDashboard(dashboard, <RunningEndpoints />);
  await act(async () => {});
  return dashboard;
}
const region = () => screen.queryByRole('region', { name: 'Models that run' });
const names = () =>
  within(screen.getByRole('region', { name: 'Models that run' }))
    .getAllByRole('listitem')
    .map((each) => within(each).getByRole('link').textContent);
const app = (...used: readonly string[]) =>
  installedApp('reply', 'Reply', {
    needs: used.map((name) => ({
      ...{ name: `for-${name}`, task: 'text-generation', optional: false },
      endpoint: { namespace: 'local', name },
    })),
  });

test('each endpoint that runs, starts or is updated shows its state and links to its page', async () => {
  await renderList([endpointIn('one', 'running'), endpointIn('two', 'initializing'), endpointIn('three', 'updating')]);
  expect(names()).toEqual(['one', 'two', 'three']);
  const [first] = screen.getAllByRole('listitem');
  expect(first).toHaveTextContent(/running/);
  expect(screen.getByRole('link', { name: 'one' })).toHaveAttribute('href', '#/models/endpoints/local/one');
});

test.each(['pending', 'paused', 'scaledToZero', 'failed', 'updateFailed'] as const)(
  'an endpoint that is %s does not use the machine, so nothing shows and the daemon is not asked',
  async (state) => {
    const { calls } = await renderList([endpointIn('one', state)]);
    expect(region()).toBeNull();
    expect(calls.filter(({ name }) => name === 'listOwnEndpoints')).toEqual([]);
  },
);

test('of two endpoints with one name each shows its namespace, and only that of the running app is left out', async () => {
  const other = (namespace: string) => ({ ...endpointIn('one', 'running'), namespace });
  await renderList([endpointIn('one', 'running'), other('lab'), other('home')], {
    slot: slotHeldBy('reply'),
    installedApps: [app('one')],
  });
  expect(names()).toEqual(['lab/one', 'home/one']);
});

test('the daemon is asked once for each state that endpoints are in, for three of them', async () => {
  const { calls } = await renderList([endpointIn('one', 'running'), endpointIn('two', 'updating')]);
  const query = { page: 1, limit: 3 };
  expect(calls.filter(({ name }) => name === 'listOwnEndpoints').map(({ input }) => input)).toEqual([
    { query: { ...query, state: 'running' } },
    { query: { ...query, state: 'updating' } },
  ]);
});

test('while the list is not known nothing shows', async () => {
  renderDashboard(
    testDashboard({}, { endpoints: { total: 1, revision: 1, states: { running: 1 } } }),
    <RunningEndpoints />,
  );
  await act(async () => {});
  expect(region()).toBeNull();
});

test('where all are listed the link leads to all endpoints', async () => {
  await renderList([endpointIn('one', 'running')]);
  expect(screen.getByRole('link', { name: 'All endpoints' })).toHaveAttribute('href', '#/models?tab=endpoints');
});

test.each([
  [4, '1 more endpoint'],
  [5, '2 more endpoints'],
])('of %d endpoints three are listed, and the link counts the others: %s', async (count, text) => {
  await renderList(Array.from({ length: count }, (_, index) => endpointIn(`e${index}`, 'running')));
  expect(names()).toEqual(['e0', 'e1', 'e2']);
  expect(screen.getByRole('link', { name: text })).toHaveAttribute('href', '#/models?tab=endpoints');
  expect(screen.queryByRole('link', { name: 'All endpoints' })).toBeNull();
});

test("the endpoints that the running app's card shows are left out, and not counted as more", async () => {
  const more = { installedApps: [app('talker')], slot: slotHeldBy('reply') };
  await renderList([endpointIn('talker', 'running'), endpointIn('other', 'running')], more);
  expect(names()).toEqual(['other']);
  expect(screen.getByRole('link', { name: 'All endpoints' })).toBeVisible();
});

test('nothing shows where the running app uses every endpoint that is awake', async () => {
  await renderList([endpointIn('talker', 'running')], { installedApps: [app('talker')], slot: slotHeldBy('reply') });
  expect(region()).toBeNull();
});

test('where the running app uses all that are listed, the link still counts the others', async () => {
  const used = ['e0', 'e1', 'e2'];
  const all = [...used, 'e3', 'e4'].map((name) => endpointIn(name, 'running'));
  await renderList(all, { installedApps: [app(...used)], slot: slotHeldBy('reply') });
  expect(screen.getByRole('link', { name: '2 endpoints' })).toHaveAttribute('href', '#/models?tab=endpoints');
  expect(screen.queryByRole('list')).toBeNull();
});

test('where the endpoints cannot be listed, the link tells how many run', async () => {
  const refuse = () => Promise.reject(new Error('The daemon did not answer.'));
  renderDashboard(
    testDashboard({ listOwnEndpoints: refuse }, { endpoints: { total: 2, revision: 1, states: { running: 2 } } }),
    <RunningEndpoints />,
  );
  expect(await screen.findByRole('link', { name: '2 endpoints' })).toBeVisible();
});

test('the endpoints of an app that does not run show here', async () => {
  const more = { installedApps: [app('talker'), installedApp('dance')], slot: slotHeldBy('dance') };
  await renderList([endpointIn('talker', 'running')], more);
  expect(names()).toEqual(['talker']);
});

test('a need without an endpoint hides none', async () => {
  const needs = [{ name: 'chat', task: 'text-generation', optional: true, endpoint: null } as const];
  const more = { installedApps: [installedApp('reply', 'Reply', { needs: [...needs] })], slot: slotHeldBy('reply') };
  await renderList([endpointIn('talker', 'running')], more);
  expect(names()).toEqual(['talker']);
});
