import { act, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { installedApp } from '../../testing/fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { AppPage } from '../app/AppPage.tsx';
import { AppCard } from '../app-card/AppCard.tsx';
import { HomePage } from '../home/HomePage.tsx';

const dance = installedApp('dance', 'Dance');
const wave = installedApp('hello_wave', 'Hello wave');
const installedApps = [dance, wave];
const theSwitch = () => screen.getByRole('switch', { name: 'Start when the robot wakes up' });

test("an app becomes the startup app, and the switch moves on the daemon's event", async () => {
  const dashboard = testDashboard({ setStartupApp: () => ({}) }, { installedApps, startupApp: 'hello_wave' });
  renderDashboard(dashboard, <AppPage name="dance" tab={null} />);
  expect(theSwitch()).not.toBeChecked();
  expect(theSwitch()).toHaveAccessibleDescription('Takes the place of Hello wave.');
  await userEvent.click(theSwitch());
  expect(dashboard.calls).toContainEqual({ name: 'setStartupApp', input: { body: { startupApp: 'dance' } } });
  expect(theSwitch()).not.toBeChecked();

  act(() => dashboard.store.getState().apply({ type: 'startup-app.changed', startupApp: 'dance' }));
  expect(theSwitch()).toBeChecked();
  expect(theSwitch()).toHaveAccessibleDescription(
    'Starts at the first wake-up and when the sleeping robot is touched.',
  );
  await userEvent.click(theSwitch());
  expect(dashboard.calls.at(-1)).toEqual({ name: 'setStartupApp', input: { body: { startupApp: null } } });
});

test('a refused choice shows the reason at the switch', async () => {
  const dashboard = testDashboard(
    {
      setStartupApp: () => {
        throw new DaemonError(404, 'The app "dance" is not installed.');
      },
    },
    { installedApps },
  );
  renderDashboard(dashboard, <AppPage name="dance" tab={null} />);
  await userEvent.click(theSwitch());
  expect(screen.getByRole('alert')).toHaveTextContent('The app "dance" is not installed.');
});

test('the card and the home page name the startup app', () => {
  const dashboard = testDashboard({}, { installedApps, startupApp: 'dance' });
  const { unmount } = renderDashboard(
    dashboard,
    <>
      <AppCard app={dance} />
      <AppCard app={wave} />
    </>,
  );
  expect(screen.getByRole('article', { name: 'Dance' })).toHaveTextContent('starts at wake-up');
  expect(screen.getByRole('article', { name: 'Hello wave' })).not.toHaveTextContent('starts at wake-up');
  unmount();
  renderDashboard(dashboard, <HomePage />);
  expect(screen.getByRole('region', { name: 'The robot' })).toHaveTextContent('Starts Dance when it wakes up');
});
