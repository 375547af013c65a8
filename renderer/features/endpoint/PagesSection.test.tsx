import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { Endpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import { type Answers, testDashboard } from '../../testing/fake-daemon.ts';
import { endpoint, ownEndpoint, session } from '../../testing/model-fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { EndpointPage } from './EndpointPage.tsx';

const SITE = 'http://localhost:5173';
const OTHER = 'http://[::1]:3000';

/** The settings of an endpoint that the daemon changes as it is asked. */
async function renderSettings(change: Partial<Endpoint>, answers: Answers = {}) {
  const dashboard = testDashboard({
    getSession: () => session(),
    getOwnEndpoint: () => ({ ...ownEndpoint('ours', change), life: [] }),
    updateEndpoint: () => endpoint('ours'),
    ...answers,
  });
  renderDashboard(dashboard, <EndpointPage id="local/ours" tab="settings" />);
  await act(async () => {});
  const section = within(screen.getByRole('region', { name: 'Pages that may use it' }));
  const sent = () => dashboard.calls.filter(({ name }) => name === 'updateEndpoint').map(({ input }) => input);
  return { section, sent };
}

const params = { namespace: 'local', name: 'ours' };

test('the origin of a page is added to those that are listed, and one of them is removed', async () => {
  const { section, sent } = await renderSettings({ allowedOrigins: [OTHER] });
  const field = section.getByRole('textbox', { name: 'Origin' });
  expect(section.getByRole('button', { name: 'Add' })).toBeDisabled();
  await userEvent.type(field, ` ${SITE} {Enter}`);
  expect(sent()).toEqual([{ params, body: { allowedOrigins: [OTHER, SITE] } }]);
  expect(field).toHaveValue('');
});

test('each change goes on from the one before, also while the page does not know that one yet', async () => {
  const { section, sent } = await renderSettings({ allowedOrigins: [SITE, OTHER] });
  await userEvent.click(section.getByRole('button', { name: `Remove ${SITE}` }));
  expect(section.queryByText(SITE)).toBeNull();
  await userEvent.click(section.getByRole('button', { name: `Remove ${OTHER}` }));
  expect(sent()).toEqual([
    { params, body: { allowedOrigins: [OTHER] } },
    { params, body: { allowedOrigins: [] } },
  ]);
});

test('a refusal is shown at the field only, which keeps the text, until that is changed', async () => {
  const message = `An origin has no path. Use ${SITE}.`;
  const issue = { path: ['allowedOrigins', 0], message };
  const { section } = await renderSettings(
    {},
    { updateEndpoint: () => Promise.reject(new DaemonError(400, 'It is invalid.', [issue])) },
  );
  const field = section.getByRole('textbox', { name: 'Origin' });
  await userEvent.type(field, `${SITE}/app{Enter}`);
  expect(field).toHaveAccessibleDescription(`${message} Scheme, host and port.`);
  expect(screen.getAllByRole('alert')).toHaveLength(1);
  expect(field).toHaveValue(`${SITE}/app`);
  await userEvent.type(field, '{Backspace}');
  expect(screen.queryByRole('alert')).toBeNull();
});

test.each([
  ['public', /\* lists every page/],
  ['authenticated', /may send requests, with a token/],
] as const)('the help of an endpoint of type %s says what a page may do', async (type, text) => {
  const { section } = await renderSettings({ type });
  expect(section.getByText(text)).toBeVisible();
});
