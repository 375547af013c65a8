import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { TerminalCall } from '../../../daemon/contract/daemon.ts';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { appVersion, commit, installedApp, moment, slotHeldBy, snapshot } from '../../testing/fixtures.ts';
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
    ...['Copy as request', 'Reset…', 'Remove…'],
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

test('a removal that is refused says why, and asks without that the next time', async () => {
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
  await userEvent.click(dialog.getByRole('button', { name: 'Keep it' }));
  await remove();
  expect(within(await screen.findByRole('dialog')).queryByRole('alert')).toBeNull();
});

/** The titles of the items that are shown. */
const items = () => screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
const terminal: TerminalCall = { program: ['robot-daemon'], dataDir: '/my data', shell: 'posix' };
const withCommands = { daemon: { ...snapshot().daemon, terminal } };

test('what the buttons do is copied as a command and as a request, in a menu in the place of the first', async () => {
  const user = userEvent.setup(); // with a clipboard
  const update = { commit: commit('b'), seenAt: moment };
  const before = { previous: appVersion('dance', '0.9'), reset: { at: moment, until: moment }, update };
  renderDashboard(testDashboard({}, withCommands), <AppMenu app={installedApp('dance', 'Dance', before)} />);
  await user.click(screen.getByRole('button', { name: 'More for dance' }));
  expect(items()).toEqual(['Copy as command or request', 'Reset…', 'Remove…']);
  await user.keyboard('{Enter}');
  expect(items()).toEqual(
    ['Start', 'Update', 'Roll back', 'Reset', 'Undo the reset', 'Remove'].flatMap((title) => [
      `Copy “${title}” as command`,
      `Copy “${title}” as request`,
    ]),
  );
  const start = screen.getByRole('menuitem', { name: 'Copy “Start” as command' });
  expect(start).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(await navigator.clipboard.readText()).toBe("robot-daemon app start dance --data-dir '/my data'");
  expect(start).toHaveTextContent('Copied.');
  expect(start).toHaveFocus();
  expect(screen.getByText('Copied.', { selector: '[role=status]' })).toBeInTheDocument();
  await user.keyboard('{ArrowDown}{Enter}');
  expect(await navigator.clipboard.readText()).toBe(
    `curl -X POST ${window.location.origin}/api/apps/start-app/dance \\\n  -H "Authorization: Bearer $TOKEN"`,
  );
  await user.keyboard('{Escape}');
  expect(items()).toEqual(['Copy as command or request', 'Reset…', 'Remove…']);
  expect(screen.getByRole('menuitem', { name: 'Copy as command or request' })).toHaveFocus();
  await user.keyboard('{ArrowRight}{ArrowLeft}{Escape}');
  expect(screen.queryByRole('menu')).toBeNull();
  expect(screen.getByRole('button', { name: 'More for dance' })).toHaveFocus();
});

test('only what the buttons of an app offer can be copied', async () => {
  const update = { commit: commit('b'), seenAt: moment };
  renderDashboard(testDashboard({}, withCommands), <AppMenu app={{ ...app, update, pinned: true }} />);
  await userEvent.click(screen.getByRole('button', { name: 'More for dance' }));
  await userEvent.click(screen.getByRole('menuitem', { name: 'Copy as command or request' }));
  expect(items()).toEqual(
    ['Start', 'Reset', 'Remove'].flatMap((title) => [`Copy “${title}” as command`, `Copy “${title}” as request`]),
  );
});

test('an app that runs is stopped and restarted; a restart has no command', async () => {
  renderDashboard(testDashboard({}, { ...withCommands, slot: slotHeldBy('dance') }), <AppMenu app={app} />);
  await userEvent.click(screen.getByRole('button', { name: 'More for dance' }));
  await userEvent.click(screen.getByRole('menuitem', { name: 'Copy as command or request' }));
  expect(items().slice(0, 3)).toEqual([
    ...['Copy “Stop” as command', 'Copy “Stop” as request', 'Copy “Restart” as request'],
  ]);
});
