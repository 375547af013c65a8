import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { DesktopStatus, DesktopUpdate } from '../../../daemon/contract/desktop.ts';
import { keepFocus } from '../../parts/focus/focus-keeper.ts';
import { type Answers, testDashboard } from '../../testing/fake-daemon.ts';
import { snapshot } from '../../testing/fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { DesktopSection } from './DesktopSection.tsx';

const status = (change: Partial<DesktopStatus> = {}): DesktopStatus => ({
  closing: 'ask',
  noTray: null,
  opensAtLogin: false,
  opensHidden: false,
  looksForUpdates: true,
  update: { state: 'none', lookedAt: null },
  ...change,
});

const daemonWith = (desktop: DesktopStatus) => ({ ...snapshot().daemon, desktop });

function renderSection(desktop: DesktopStatus | undefined, answers: Answers = {}) {
  const dashboard = testDashboard(answers, desktop ? { daemon: daemonWith(desktop) } : {});
  renderDashboard(dashboard, <DesktopSection />);
  /** The daemon tells a change. */
  const becomes = (next: DesktopStatus) =>
    act(() => dashboard.store.getState().apply({ type: 'daemon.changed', daemon: daemonWith(next) }));
  return { ...dashboard, becomes };
}
const section = () => within(screen.getByRole('region', { name: 'The window' }));
const button = (name: string) => section().getByRole('button', { name });

test('what closing does is chosen, and shown once the daemon tells it', async () => {
  const { calls, becomes } = renderSection(status(), { changeDesktop: () => status() });
  const closing = within(section().getByRole('group', { name: 'When I close the window' }));
  expect(closing.getByRole('radio', { name: 'Ask me' })).toBeChecked();
  await userEvent.click(closing.getByRole('radio', { name: 'Quit' }));
  expect(calls.at(-1)).toEqual({ name: 'changeDesktop', input: { body: { closing: 'quit' } } });
  expect(closing.getByRole('radio', { name: 'Ask me' })).toBeChecked();
  becomes(status({ closing: 'quit' }));
  expect(closing.getByRole('radio', { name: 'Quit' })).toBeChecked();
  expect(closing.getByRole('radio', { name: 'Quit' })).toHaveAccessibleDescription(
    'The running app stops, and the robot folds.',
  );
});

test('without a tray it says so in place of the choice', () => {
  const noTray = 'This desktop shows no tray icons, so closing the window quits.';
  renderSection(status({ noTray }));
  expect(section().getByText(noTray)).toBeVisible();
  expect(section().queryByRole('radio')).toBeNull();
});

test('on a system where closing never quits there is nothing to choose', () => {
  renderSection(status({ closing: null }));
  expect(section().queryByRole('radio')).toBeNull();
});

test('opening at login is switched on by keyboard, and then opening without the window', async () => {
  onTestFinished(keepFocus());
  const { calls, becomes } = renderSection(status(), { changeDesktop: () => status() });
  const atLogin = section().getByRole('switch', { name: 'Open at login' });
  const hidden = section().getByRole('switch', { name: 'Without its window' });
  expect(hidden).toBeDisabled();
  atLogin.focus();
  await userEvent.keyboard(' ');
  expect(calls.at(-1)).toEqual({ name: 'changeDesktop', input: { body: { opensAtLogin: true } } });
  becomes(status({ opensAtLogin: true }));
  expect(atLogin).toBeChecked();
  await vi.waitFor(() => expect(atLogin).toHaveFocus());
  expect(hidden).toHaveAccessibleDescription('Its icon in the tray opens the window.');
  await userEvent.click(hidden);
  expect(calls.at(-1)).toEqual({ name: 'changeDesktop', input: { body: { opensHidden: true } } });
});

test('a change that the system refuses says why, and the switch stays', async () => {
  const refuse = () => Promise.reject(new DaemonError(409, 'The system did not take the change.'));
  renderSection(status(), { changeDesktop: refuse });
  await userEvent.click(section().getByRole('switch', { name: 'Open at login' }));
  expect(await section().findByRole('alert')).toHaveTextContent('The system did not take the change.');
  expect(section().getByRole('switch', { name: 'Open at login' })).not.toBeChecked();
});

test('a copy that gets no updates says why, and the switch is off', () => {
  const reason = 'This build was made without an address to look for updates.';
  renderSection(status({ update: { state: 'off', reason } }));
  const looks = section().getByRole('switch', { name: 'Check for newer versions' });
  expect(looks).not.toBeChecked();
  expect(looks).toBeDisabled();
  expect(looks).toHaveAccessibleDescription(reason);
  expect(section().queryByRole('button')).toBeNull();
});

test('looking for newer versions is switched off', async () => {
  const { calls, becomes } = renderSection(status(), { changeDesktop: () => status() });
  const looks = section().getByRole('switch', { name: 'Check for newer versions' });
  expect(looks).toBeChecked();
  await userEvent.click(looks);
  expect(calls.at(-1)).toEqual({ name: 'changeDesktop', input: { body: { looksForUpdates: false } } });
  becomes(status({ looksForUpdates: false, update: { state: 'off', reason: null } }));
  expect(looks).not.toBeChecked();
  expect(looks).toBeEnabled();
  expect(section().queryByRole('button')).toBeNull();
});

const transfer = { doneBytes: 12_400_000, totalBytes: 124_000_000, bytesPerSecond: 0, stalled: false };

test('an update is looked for, downloaded and installed, one press for each, and a download can be cancelled', async () => {
  const { calls, becomes } = renderSection(status(), { updateDesktop: () => status() });
  const steps = () => calls.filter(({ name }) => name === 'updateDesktop').map(({ input }) => input);
  const live = section().getByRole('status');
  await userEvent.click(button('Check now'));
  becomes(status({ update: { state: 'looking' } }));
  expect(live).toHaveTextContent('Checking for a newer version…');
  expect(button('Check now')).toHaveAttribute('aria-disabled', 'true'); // it keeps the focus
  becomes(status({ update: { state: 'available', version: '1.2.0', by: 'program', command: null } }));
  expect(live).toHaveTextContent('Version 1.2.0 is available.');
  await userEvent.click(button('Download it'));
  becomes(status({ update: { state: 'downloading', version: '1.2.0', transfer } }));
  expect(section().getByRole('progressbar', { name: 'Downloading the newer version' })).toHaveAttribute(
    'aria-valuenow',
    '10',
  );
  expect(section().getByText('Downloading 12.4 of 124 MB')).toBeVisible();
  await userEvent.click(button('Cancel'));
  becomes(status({ update: { state: 'ready', version: '1.2.0' } }));
  expect(live).toHaveTextContent(
    'Version 1.2.0 is downloaded. Installing it stops the app and other work, and folds the robot.',
  );
  await userEvent.click(button('Quit and install it'));
  becomes(status({ update: { state: 'installing', version: '1.2.0' } }));
  expect(live).toHaveTextContent('Stopping the app and folding the robot…');
  expect(section().queryByRole('button')).toBeNull();
  expect(steps()).toEqual(['look', 'download', 'cancel', 'install'].map((step) => ({ body: { step } })));
});

test.each<[DesktopUpdate, string]>([
  [{ state: 'none', lookedAt: '2026-03-01T10:00:00.000Z' }, 'Version 0.1.0 is the newest.'],
  [
    { state: 'failed', reason: 'The download was cut off.', action: 'Try again later.' },
    'The download was cut off. Try again later. Version 0.1.0 goes on.',
  ],
  [
    { state: 'available', version: '1.2.0', by: 'hand', command: null },
    'Version 1.2.0 is available. Download it from the place where you got this one.',
  ],
])('of %j it says %s', (update, text) => {
  renderSection(status({ update }));
  expect(section().getByRole('status')).toHaveTextContent(text);
});

test('of a package of the system it shows the one command that installs the newer version', () => {
  renderSection(status({ update: { state: 'available', version: '1.2.0', by: 'command', command: 'sudo apt …' } }));
  expect(section().getByText('sudo apt …')).toBeVisible();
  expect(button('Copy the command that installs the newer version')).toBeEnabled();
  expect(section().queryByRole('button', { name: 'Download it' })).toBeNull();
});

test('a step that is refused says why', async () => {
  const refuse = () => Promise.reject(new DaemonError(409, 'No newer version is downloaded.'));
  renderSection(status(), { updateDesktop: refuse });
  await userEvent.click(button('Check now'));
  expect(await section().findByRole('alert')).toHaveTextContent('No newer version is downloaded.');
});

test('in a window of another program’s daemon it says that there is nothing to set', () => {
  renderSection(undefined);
  expect(
    section().getByText('This window shows the daemon of another program, and quits when you close it.'),
  ).toBeVisible();
  expect(section().queryByRole('switch')).toBeNull();
});
