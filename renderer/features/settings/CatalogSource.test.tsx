import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { catalogSource, session } from '../../testing/model-fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { SettingsPage } from './SettingsPage.tsx';

const url = 'https://catalog.test/api/v1';
const remote = catalogSource({ kind: 'remote', url, hasToken: true, fetchedAt: '2026-03-01T10:00:00.000Z', total: 12 });
const section = (name: string) => within(screen.getByRole('region', { name }));

test('a remote catalog with its token replaces the built-in one', async () => {
  const { store, calls } = testDashboard({ useRemoteCatalog: () => remote });
  renderDashboard({ store, calls, retries: () => 0 }, <SettingsPage />);
  const catalog = section('Model catalog');
  expect(catalog.getByText('The built-in catalog has 132 models and needs no network.')).toBeVisible();
  await userEvent.type(catalog.getByRole('textbox', { name: 'Address of the service' }), ` ${url} `);
  await userEvent.type(catalog.getByLabelText('Token of the service'), 'catalog_secret');
  await userEvent.click(catalog.getByRole('radio', { name: 'Hub service' }));
  await userEvent.click(catalog.getByRole('button', { name: 'Use this catalog' }));
  expect(calls.at(-1)).toEqual({
    name: 'useRemoteCatalog',
    input: { body: { url, token: 'catalog_secret', dialect: 'hub' } },
  });
  act(() => store.getState().apply({ type: 'catalog-source.changed', catalogSource: remote }));
  expect(catalog.getByText(url)).toBeVisible();
  expect(catalog.getByText('stored encrypted, not shown')).toBeVisible();
  expect(JSON.stringify(store.getState())).not.toContain('catalog_secret');
});

test('a wrong address is refused at its field, a failing service in a note', async () => {
  let refusal = new DaemonError(400, 'Bad.', [{ path: ['url'], message: 'Not an address.' }]);
  const dashboard = testDashboard({ useRemoteCatalog: () => Promise.reject(refusal) });
  renderDashboard(dashboard, <SettingsPage />);
  const catalog = section('Model catalog');
  const field = catalog.getByRole('textbox', { name: 'Address of the service' });
  await userEvent.type(field, 'x');
  await userEvent.click(catalog.getByRole('button', { name: 'Use this catalog' }));
  expect(await catalog.findByText('Not an address.')).toBeVisible();
  expect(field).toBeInvalid();
  refusal = new DaemonError(502, 'It answers with a page.');
  await userEvent.click(catalog.getByRole('button', { name: 'Use this catalog' }));
  expect(await catalog.findByText('It answers with a page.')).toBeVisible();
  expect(field).toBeValid();
});

test('a remote catalog shows its problem, can be refreshed, and replaced by the built-in one', async () => {
  const problem = 'The service does not answer.';
  const dashboard = testDashboard(
    { refreshCatalog: () => remote, useShippedCatalog: () => catalogSource() },
    { catalogSource: { ...remote, problem } },
  );
  renderDashboard(dashboard, <SettingsPage />);
  const catalog = section('Model catalog');
  expect(catalog.getByText(problem)).toBeVisible();
  await userEvent.click(catalog.getByRole('button', { name: 'Refresh' }));
  await userEvent.click(catalog.getByRole('button', { name: 'Use the built-in catalog' }));
  expect(dashboard.calls.map(({ name }) => name).slice(-2)).toEqual(['refreshCatalog', 'useShippedCatalog']);
});

test('this browser can sign out, and in again with a token', async () => {
  const dashboard = testDashboard({
    getSession: () => session({ namespaces: ['anna', 'lab'] }),
    signOut: () => session({ signedIn: false }),
    signIn: () => session(),
  });
  renderDashboard(dashboard, <SettingsPage />);
  const browser = section('This browser');
  expect(await browser.findByText(/^This browser is signed in/)).toHaveTextContent('may deploy models in anna, lab.');
  await userEvent.click(browser.getByRole('button', { name: 'Sign this browser out' }));
  await userEvent.type(await browser.findByLabelText('Code or token of the daemon'), ' tok ');
  await userEvent.click(browser.getByRole('button', { name: 'Sign this browser in' }));
  expect(dashboard.calls).toContainEqual({ name: 'signIn', input: { body: { token: 'tok' } } });
  expect(await browser.findByText(/^This browser is signed in/)).toBeVisible();
});
