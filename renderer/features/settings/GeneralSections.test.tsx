import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { installedApp } from '../../testing/fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { ThemeToggle } from '../frame/Rail.tsx';
import { SettingsPage } from './SettingsPage.tsx';

const installedApps = [installedApp('hello_wave', 'Hello wave'), installedApp('dance', 'dance')];

test('the theme is chosen here and in the rail, and both show it', async () => {
  renderDashboard(
    testDashboard(),
    <>
      <ThemeToggle />
      <SettingsPage />
    </>,
  );
  const themes = within(screen.getByRole('group', { name: 'Theme' }));
  await userEvent.click(themes.getByRole('radio', { name: 'Dark' }));
  expect(document.documentElement).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await userEvent.click(screen.getByRole('button', { name: 'Theme: dark. Change to system' }));
  expect(themes.getByRole('radio', { name: 'System' })).toBeChecked();
});

test('the startup app is chosen among the installed ones, or none, and changes when it is saved', async () => {
  const dashboard = testDashboard({ setStartupApp: () => ({}) }, { installedApps });
  renderDashboard(dashboard, <SettingsPage />);
  const chooser = screen.getByRole('combobox', { name: 'Startup app' });
  expect(
    within(chooser)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['None', 'dance', 'Hello wave (hello_wave)']);
  await userEvent.selectOptions(chooser, 'hello_wave');
  expect(dashboard.calls.at(-1)).toEqual({ name: 'setStartupApp', input: { body: { startupApp: 'hello_wave' } } });
  expect(chooser).toHaveValue('');
  act(() => dashboard.store.getState().apply({ type: 'startup-app.changed', startupApp: 'hello_wave' }));
  expect(chooser).toHaveValue('hello_wave');
  await userEvent.selectOptions(chooser, 'None');
  expect(dashboard.calls.at(-1)).toEqual({ name: 'setStartupApp', input: { body: { startupApp: null } } });
});

test('a refused startup app says why; one that is still being installed is shown by its name', async () => {
  const refuse = () => {
    throw new DaemonError(404, 'The app "dance" is not installed.');
  };
  const dashboard = testDashboard({ setStartupApp: refuse }, { installedApps, startupApp: 'coming_soon' });
  renderDashboard(dashboard, <SettingsPage />);
  const chooser = screen.getByRole('combobox', { name: 'Startup app' });
  expect(chooser).toHaveDisplayValue('coming_soon');
  await userEvent.selectOptions(chooser, 'dance');
  expect(screen.getByRole('alert')).toHaveTextContent('The app "dance" is not installed.');
});

test('no two token fields have the same name, placeholder or icon', async () => {
  renderDashboard(
    testDashboard({ getSession: () => ({ signedIn: false, namespaces: null, namespace: 'local' }) }),
    <SettingsPage />,
  );
  await screen.findByLabelText('Code or token of the daemon');
  const fields = [...document.querySelectorAll<HTMLInputElement>('input[type=password], .token-form input')];
  const looks = fields.map((field) => [
    field.labels?.[0]?.textContent,
    field.placeholder,
    field.parentElement?.querySelector('svg')?.innerHTML,
  ]);
  expect(fields).toHaveLength(3);
  for (const column of [0, 1, 2]) expect(new Set(looks.map((look) => look[column])).size).toBe(3);
});
