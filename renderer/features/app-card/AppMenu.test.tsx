import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { appVersion, installedApp, slotHeldBy } from '../../testing/fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { AppMenu } from './AppMenu.tsx';

const app = installedApp('dance', 'Dance');
const disk = { environment: 36_000_000, previous: 0, files: 2_000_000 };

async function remove(): Promise<void> {
  await userEvent.click(screen.getByRole('button', { name: 'More for dance' }));
  await userEvent.click(screen.getByRole('menuitem', { name: 'Remove…' }));
}

test('the menu is used by keyboard: it opens, moves, closes, and gives the focus back', async () => {
  renderDashboard(testDashboard({ getAppDisk: () => disk }), <AppMenu app={app} withPages />);
  const button = screen.getByRole('button', { name: 'More for dance' });
  await userEvent.tab();
  expect(button).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
    ...['Read me', 'Output', 'Runs', 'Versions', 'Variables'],
    ...['Reset…', 'Remove…'],
  ]);
  expect(screen.getByRole('menuitem', { name: 'Read me' })).toHaveFocus();
  expect(screen.getByRole('menuitem', { name: 'Output' })).toHaveAttribute('href', '#/apps/dance?tab=output');
  await userEvent.keyboard('{ArrowUp}');
  expect(screen.getByRole('menuitem', { name: 'Remove…' })).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}{End}{Escape}');
  expect(screen.queryByRole('menu')).toBeNull();
  expect(button).toHaveFocus();
  await userEvent.keyboard('{ArrowUp}');
  expect(screen.getByRole('menuitem', { name: 'Remove…' }), 'Up opens it at its end').toHaveFocus();
  await userEvent.keyboard('{Escape}{ArrowDown}{Tab}');
  expect(screen.queryByRole('menu'), 'it closes when the focus leaves it').toBeNull();
});

test('closing the dialog of a removal gives the focus back to the menu', async () => {
  renderDashboard(testDashboard({ getAppDisk: () => disk }), <AppMenu app={app} />);
  await remove();
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Keep it' }));
  await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('More for dance');
});

test('a removal lists what it deletes, then opens the list of apps', async () => {
  const dashboard = testDashboard({ removeApp: () => [], getAppDisk: () => disk }, { startupApp: 'dance' });
  renderDashboard(dashboard, <AppMenu app={app} />);
  window.location.hash = '#/apps/dance';
  await remove();
  const dialog = within(await screen.findByRole('dialog', { name: 'Remove dance' }));
  expect(dialog.getByText(/^Also deletes everything the app saved/)).toBeVisible();
  expect(dialog.getByText(/^It is the startup app: afterwards no app starts/)).toBeVisible();
  expect(dialog.getByText('36 MB')).toBeVisible();
  await userEvent.click(dialog.getByRole('button', { name: 'Remove dance and its 38 MB' }));
  expect(dashboard.calls.at(-1)).toEqual({ name: 'removeApp', input: { params: { appName: 'dance' } } });
  expect(window.location.hash).toBe('#/apps');
});

test('a running app is not removed, but can be stopped where that is stated', async () => {
  const dashboard = testDashboard(
    { getAppDisk: () => disk, stopCurrentApp: () => ({}) },
    { slot: slotHeldBy('dance') },
  );
  renderDashboard(dashboard, <AppMenu app={app} />);
  await remove();
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText('It is running. Stop it first.')).toBeVisible();
  expect(dialog.getByRole('button', { name: /^Remove dance/ })).toBeDisabled();
  await userEvent.click(dialog.getByRole('button', { name: 'Stop dance' }));
  expect(dashboard.calls.map(({ name }) => name)).toContain('stopCurrentApp');
  act(() => dashboard.store.getState().apply({ type: 'app-slot.changed', slot: { state: 'free', lastRun: null } }));
  expect(dialog.queryByText('It is running. Stop it first.')).toBeNull();
  expect(dialog.getByRole('button', { name: /^Remove dance/ })).toBeEnabled();
});

test('a removal that is refused says why', async () => {
  const refuse = () => Promise.reject(new DaemonError(409, 'dance is being installed.'));
  renderDashboard(
    testDashboard({ removeApp: refuse, getAppDisk: () => disk }),
    <AppMenu app={{ ...app, previous: appVersion('dance', '0.9') }} />,
  );
  await remove();
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText('Earlier version')).toBeVisible();
  await userEvent.click(dialog.getByRole('button', { name: /^Remove dance/ }));
  expect(await dialog.findByRole('alert')).toHaveTextContent('dance is being installed.');
});
