import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { hub, snapshot } from '../../testing/fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { SettingsPage } from './SettingsPage.tsx';

const anna = { hub, name: 'anna', problem: null };

test("a token is sent to the daemon, never shown, and the account's name appears", async () => {
  const dashboard = testDashboard({ signInToHub: () => anna, signOutOfHub: () => ({ ...anna, name: null }) });
  renderDashboard(dashboard, <SettingsPage />);
  const field = screen.getByLabelText('Access token of the hub');
  expect(field).toHaveAttribute('type', 'password');
  await userEvent.type(field, 'hub_secret ');
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(dashboard.calls.at(-1)).toEqual({ name: 'signInToHub', input: { body: { token: 'hub_secret' } } });

  act(() => dashboard.store.getState().apply({ type: 'hub-account.changed', hubAccount: anna }));
  expect(screen.getByText(/^Signed in to/)).toHaveTextContent(
    `Signed in to ${hub} as anna, whose private apps are in Discover.`,
  );
  expect(screen.queryByLabelText('Access token of the hub')).toBeNull();
  expect(JSON.stringify(dashboard.store.getState())).not.toContain('hub_secret');
  await userEvent.click(screen.getByRole('button', { name: 'Sign out' }));
  expect(dashboard.calls.at(-1)?.name).toBe('signOutOfHub');
});

test('a token that the hub does not know is refused at the field', async () => {
  const refuse = () => Promise.reject(new DaemonError(400, 'The hub does not know this token.'));
  renderDashboard(testDashboard({ signInToHub: refuse }), <SettingsPage />);
  const field = screen.getByLabelText('Access token of the hub');
  await userEvent.type(field, 'x');
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('The hub does not know this token.');
  await userEvent.type(field, 'y');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a stored token that is no longer valid says so, and the user can sign out', () => {
  const problem = 'The token is no longer valid.';
  renderDashboard(testDashboard({}, { hubAccount: { ...anna, problem } }), <SettingsPage />);
  expect(screen.getByText(problem)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Sign out' })).toBeEnabled();
});

const gigabyte = 1_000_000_000;
const cache = { path: '/data/cache', bytes: 7.2 * gigabyte, unusedBytes: 7 * gigabyte, isComplete: true };

test('the downloads of installs are shown with their size, and removed', async () => {
  const dashboard = testDashboard({
    getDownloadCache: () => cache,
    pruneDownloadCache: () => ({ ...cache, bytes: 0, unusedBytes: 0, freedBytes: 7 * gigabyte }),
  });
  renderDashboard(dashboard, <SettingsPage />);
  const section = within(screen.getByRole('region', { name: 'Downloads of installs' }));
  expect(await section.findByText(/^7\.2 GB are kept .*; installed apps use 200 MB of it\.$/)).toBeVisible();
  await userEvent.click(section.getByRole('button', { name: 'Remove the downloads' }));
  expect(await section.findByText('7.0 GB freed.')).toBeVisible();
  expect(section.getByText('None are kept.')).toBeVisible();
  expect(section.getByRole('button', { name: 'Remove the downloads' })).toHaveAttribute('aria-disabled', 'true');
});

test('downloads are not removed during an install, and the daemon says why', async () => {
  const refuse = () => Promise.reject(new DaemonError(409, 'An app is being installed.'));
  renderDashboard(testDashboard({ getDownloadCache: () => cache, pruneDownloadCache: refuse }), <SettingsPage />);
  const remove = await screen.findByRole('button', { name: 'Remove the downloads' });
  await vi.waitFor(() => expect(remove).toBeEnabled());
  await userEvent.click(remove);
  expect(await screen.findByRole('alert')).toHaveTextContent('An app is being installed.');
});

test.each([
  [{ kept: 'keychain' } as const, 'encrypted by the keychain of your system'],
  [
    {
      kept: 'key-file',
      file: '/data/secret-key',
      reason: 'This desktop has no keychain.',
      action: 'Unlock one.',
    } as const,
    'encrypted with a key in the file /data/secret-key, which only you can read. This desktop has no keychain. Unlock one.',
  ],
])('it says how saved secrets are kept: %j', (secrets, text) => {
  const { daemon } = snapshot();
  renderDashboard(testDashboard({}, { daemon: { ...daemon, secrets } }), <SettingsPage />);
  const section = within(screen.getByRole('region', { name: 'This machine' }));
  expect(section.getByText('Saved secrets').nextElementSibling).toHaveTextContent(text);
});
