import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { EndpointState } from '../../../daemon/contract/endpoints/endpoint.ts';
import { type Answers, testDashboard } from '../../testing/fake-daemon.ts';
import { cloudGpu, endpoint, endpointListing, ownEndpoint, session } from '../../testing/model-fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { EndpointsPanel } from './EndpointsPanel.tsx';
import { commandsFor } from './endpoint-text.ts';

const status = (state: EndpointState) => ({ status: { ...endpoint('x').status, state } });

async function renderPanel(answers: Answers = {}, query = '') {
  const dashboard = testDashboard({
    getSession: () => session(),
    listOwnEndpoints: () => endpointListing([ownEndpoint('ours')]),
    ...answers,
  });
  renderDashboard(dashboard, <EndpointsPanel query={query} />);
  await act(async () => {});
  return dashboard;
}
const rows = () => within(screen.getByRole('table', { name: 'Endpoints, newest first' }));

test('an endpoint shows its state, model, location, type and age', async () => {
  const far = ownEndpoint('far-one', {
    ...status('scaledToZero'),
    provider: cloudGpu.provider,
    type: 'public',
    compute: { ...endpoint('x').compute, instanceType: 'gpu', instanceSize: 'x1' },
  });
  await renderPanel({ listOwnEndpoints: () => endpointListing([ownEndpoint('ours'), far]) }, 'made=ours');
  const ours = rows().getByRole('row', { name: /^ours/ });
  expect(ours).toHaveTextContent(/^oursnewanna\/big-modelnamespace localpendingthis machineauthenticated\d+ \w+ ago$/);
  expect(rows().getAllByText('Waiting to start.')).toHaveLength(2);
  expect(within(ours).getByRole('link', { name: 'anna/big-model' })).toHaveAttribute('href', '#/models/anna/big-model');
  expect(rows().getByRole('row', { name: /^far-one/ })).toHaveTextContent(
    /^far-oneanna\/big-modelnamespace localasleepcloud eastgpu x1public/,
  );
});

test.each<[EndpointState, string[]]>([
  ['pending', ['pause']],
  ['running', ['pause', 'sleep']],
  ['scaledToZero', ['resume', 'pause']],
  ['paused', ['resume']],
  ['failed', ['resume', 'pause']],
])('the commands for an endpoint that is %s', (state, commands) => {
  expect(commandsFor(endpoint('x', status(state)))).toEqual(commands);
});

test('one that sleeps is woken, one that is paused or failed is resumed', async () => {
  const states = ['scaledToZero', 'paused', 'failed'] as const;
  await renderPanel({
    listOwnEndpoints: () => endpointListing(states.map((state) => ownEndpoint(state.toLowerCase(), status(state)))),
  });
  expect(screen.getAllByRole('button', { name: /^(Wake|Resume) / }).map((each) => each.ariaLabel)).toEqual([
    'Wake scaledtozero',
    'Resume paused',
    'Resume failed',
  ]);
});

test('a command is sent for its endpoint, and the list is loaded again after the change', async () => {
  let listing = endpointListing([ownEndpoint('ours')]);
  const { calls, store } = await renderPanel({
    listOwnEndpoints: () => listing,
    pauseEndpoint: () => endpoint('ours'),
  });
  await userEvent.click(screen.getByRole('button', { name: 'Pause ours' }));
  expect(calls.at(-1)).toEqual({ name: 'pauseEndpoint', input: { params: { namespace: 'local', name: 'ours' } } });
  expect(rows().getByText('pending')).toBeVisible();
  listing = endpointListing([ownEndpoint('ours', status('paused'))]);
  act(() =>
    store.getState().apply({ type: 'endpoints.changed', endpoints: { total: 1, revision: 2, states: { paused: 1 } } }),
  );
  expect(await screen.findByRole('button', { name: 'Resume ours' })).toBeEnabled();
  expect(screen.queryByRole('button', { name: 'Pause ours' })).toBeNull();
});

test('a refusal is shown in the row and can be dismissed', async () => {
  await renderPanel({ pauseEndpoint: () => Promise.reject(new DaemonError(404, 'There is no such endpoint.')) });
  await userEvent.click(screen.getByRole('button', { name: 'Pause ours' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('There is no such endpoint.');
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss this message' }));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('an endpoint is deleted after a confirmation', async () => {
  const { calls } = await renderPanel({ deleteEndpoint: () => endpoint('ours') });
  await userEvent.click(screen.getByRole('button', { name: 'Delete ours' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete ours' }));
  expect(calls.map(({ name }) => name)).not.toContain('deleteEndpoint');
  const confirm = dialog.getByRole('button', { name: 'Delete ours' });
  expect(confirm).toBeDisabled();
  await userEvent.type(dialog.getByRole('textbox', { name: 'Type ours to delete it' }), 'our');
  expect(confirm).toBeDisabled();
  await userEvent.keyboard('s{Enter}');
  expect(calls.at(-1)?.name).toBe('deleteEndpoint');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('the controls of endpoints with the same name are distinguished by their namespaces', async () => {
  const twin = { ...ownEndpoint('ours'), namespace: 'lab' };
  await renderPanel({ listOwnEndpoints: () => endpointListing([ownEndpoint('ours'), twin, ownEndpoint('other')]) });
  const deletes = rows().getAllByRole('button', { name: /^Delete/ });
  expect(deletes.map((button) => button.getAttribute('aria-label'))).toEqual([
    'Delete local/ours',
    'Delete lab/ours',
    'Delete other',
  ]);
  await userEvent.click(rows().getByRole('button', { name: 'Delete lab/ours' }));
  expect(await screen.findByRole('dialog', { name: 'Delete lab/ours' })).toBeVisible();
});

test('a signed-out user sees the endpoints without commands', async () => {
  await renderPanel({ getSession: () => session({ signedIn: false }) });
  expect(screen.getByRole('region', { name: 'Sign in to change endpoints' })).toBeVisible();
  expect(rows().queryAllByRole('button')).toEqual([]);
});

test('the commands are gone when the session has ended', async () => {
  let signedIn = true;
  await renderPanel({
    getSession: () => session({ signedIn }),
    pauseEndpoint: () => {
      signedIn = false;
      throw new DaemonError(401, 'Not signed in.');
    },
  });
  await userEvent.click(screen.getByRole('button', { name: 'Pause ours' }));
  expect(await screen.findByRole('region', { name: 'Sign in to change endpoints' })).toBeVisible();
  expect(rows().queryByRole('button', { name: 'Pause ours' })).toBeNull();
});

test('the page of endpoints is part of the address', async () => {
  const { calls } = await renderPanel(
    { listOwnEndpoints: () => endpointListing([ownEndpoint('ours')], { matches: 60, page: 2, pages: 3 }) },
    'page=2',
  );
  expect(calls[0]?.input).toMatchObject({ query: { page: 2, limit: 25 } });
  await userEvent.click(screen.getByRole('link', { name: 'Next page' }));
  expect(window.location.hash).toBe('#/models?tab=endpoints&page=3');
});

test('an empty list of endpoints links to the catalog', async () => {
  await renderPanel({ listOwnEndpoints: () => endpointListing([]) });
  expect(screen.getByRole('link', { name: 'Choose a model' })).toHaveAttribute('href', '#/models');
});

test('a failed load of the endpoints says why', async () => {
  await renderPanel({ listOwnEndpoints: () => Promise.reject(new DaemonError(500, 'The list is damaged.')) });
  expect(screen.getByText('The endpoints could not be loaded: The list is damaged.')).toBeVisible();
});

test('with a remote catalog, a note says where a new endpoint was created', async () => {
  const dashboard = await renderPanel({}, 'made=remote-one');
  const remote = { kind: 'remote', url: 'https://c.example/api/v1', hasToken: true, fetchedAt: null } as const;
  act(() => {
    const catalogSource = { ...remote, problem: null, total: 3 };
    dashboard.store.getState().apply({ type: 'catalog-source.changed', catalogSource });
  });
  expect(screen.getByText('remote-one was created at https://c.example/api/v1')).toBeVisible();
});
