import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { IssuedToken } from '../../../daemon/contract/tokens.ts';
import { sessionKey } from '../../slices/daemon/session-slice.ts';
import { type Answers, testDashboard } from '../../testing/fake-daemon.ts';
import { moment } from '../../testing/fixtures.ts';
import { session } from '../../testing/model-fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { TokensSection } from './TokensSection.tsx';

const token = (name: string, more: Partial<IssuedToken> = {}): IssuedToken => ({
  id: `id-${name}`,
  name,
  scopes: ['deploy'],
  namespaces: null,
  createdAt: moment,
  lastUsedAt: null,
  ...more,
});

function open(answers: Answers, isOwnUser = true) {
  const dashboard = testDashboard(answers);
  dashboard.store.getState().setAnswer(sessionKey, session({ isOwnUser }));
  renderDashboard(dashboard, <TokensSection />);
  return dashboard;
}
const rows = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);

test('the tokens are listed with what they may and their last use', async () => {
  open({
    listTokens: () => [
      token('ci', { namespaces: ['lab'], lastUsedAt: new Date(Date.now() - 120_000).toISOString() }),
      token('phone', { scopes: ['daemon', 'endpoint:lab/poet'] }),
    ],
  });
  await screen.findByText('phone');
  expect(rows()).toEqual([
    expect.stringMatching(/^ci may deploy models in labLast used 2 min ago, made .*\.Revoke…$/),
    expect.stringMatching(
      /^phone may use the daemon from another machine, use lab\/poetNot used yet, made .*\.Revoke…$/,
    ),
  ]);
});

test('a token is made with a name and what it may, and its text is shown until it is hidden', async () => {
  const { calls, store } = open({
    listTokens: () => [],
    createToken: () => ({ text: 'rd_secret', token: token('phone') }),
  });
  expect(await screen.findByText('No tokens yet.')).toBeVisible();
  await userEvent.click(screen.getByRole('radio', { name: 'Use the daemon from another machine' }));
  await userEvent.type(screen.getByLabelText('Name of the token'), ' phone ');
  await userEvent.click(screen.getByRole('button', { name: 'Make a token' }));
  expect(await screen.findByText('rd_secret')).toBeVisible();
  expect(calls).toContainEqual({ name: 'createToken', input: { body: { name: 'phone', scopes: ['daemon'] } } });
  expect(calls.filter(({ name }) => name === 'listTokens')).toHaveLength(2);
  await userEvent.click(screen.getByRole('button', { name: 'Hide it' }));
  expect(screen.queryByText('rd_secret')).toBeNull();
  expect(JSON.stringify(store.getState())).not.toContain('rd_secret');
});

test('a name that is taken is refused at its field', async () => {
  open({
    listTokens: () => [],
    createToken: () => {
      throw new DaemonError(409, 'A token "ci" already exists.');
    },
  });
  await userEvent.type(await screen.findByLabelText('Name of the token'), 'ci{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent('A token "ci" already exists.');
});

test('a token is revoked once that is confirmed', async () => {
  const { calls } = open({ listTokens: () => [token('ci'), token('phone')], revokeToken: () => [token('phone')] });
  await userEvent.click(await screen.findByRole('button', { name: 'Revoke ci' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Revoke ci' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Revoke ci' }));
  expect(calls.at(-1)).toEqual({ name: 'revokeToken', input: { params: { tokenId: 'id-ci' } } });
  await expect.poll(() => screen.queryByText('ci')).toBeNull();
  expect(screen.getByText('phone')).toBeInTheDocument();
});

test('a browser that signed in with a token sees none', () => {
  const { calls } = open({}, false);
  expect(screen.queryByRole('region')).toBeNull();
  expect(calls).toEqual([]);
});
