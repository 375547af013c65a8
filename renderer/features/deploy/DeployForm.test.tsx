import { act, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { catalogSource, endpointListing, ownEndpoint, session } from '../../testing/model-fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { DeployForm } from './DeployForm.tsx';

async function renderForm(source = catalogSource()) {
  const dashboard = testDashboard(
    { listOwnEndpoints: () => endpointListing([ownEndpoint('ours')]), getSession: () => session() },
    { catalogSource: source },
  );
  await act(() => dashboard.store.getState().loadSession());
  renderDashboard(
    dashboard,
    <DeployForm suggestedName="big" modelId="anna/big" onDeploy={async () => true} onClose={() => {}} />,
  );
  const name = screen.getByRole('textbox', { name: 'Name' });
  await userEvent.clear(name);
  await userEvent.type(name, 'ours');
  return () => dashboard.calls.flatMap(({ name: call, input }) => (call === 'listOwnEndpoints' ? [input] : []));
}

test('a name is looked up in the namespace of the user once nobody types', async () => {
  const asked = await renderForm();
  expect(await screen.findByText('There is an endpoint "ours" already.')).toBeVisible();
  expect(asked()).toMatchObject([
    { query: { namespace: 'local', name: 'big' } },
    { query: { namespace: 'local', name: 'ours' } },
  ]);
});

test('with a remote catalog no name is looked up: its endpoints are not listed here', async () => {
  const asked = await renderForm(catalogSource({ kind: 'remote', url: 'https://c.example/api/v1' }));
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('ours');
  expect(asked()).toEqual([]);
});
