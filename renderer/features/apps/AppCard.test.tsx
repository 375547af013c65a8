import { act, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { DaemonError } from '../../api/daemon-error.ts';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { crashOf, held, installedApp, installJob } from '../../testing/fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { AppCard } from './AppCard.tsx';

const busy = 'An app is already running: "dance". Stop the current app first.';
const wave = installedApp('hello_wave', 'Hello wave');

test('a start that is refused shows the reason and a way on, and Start stays', async () => {
  const dashboard = testDashboard(
    {
      startApp: () => {
        throw new DaemonError(409, busy);
      },
      stopCurrentApp: () => ({}),
    },
    { slot: held('dance') },
  );
  renderDashboard(dashboard, <AppCard app={wave} />);
  await userEvent.click(screen.getByRole('button', { name: 'Start hello_wave' }));
  expect(screen.getByRole('alert')).toHaveTextContent(busy);
  expect(screen.getByRole('button', { name: 'Start hello_wave' })).toBeEnabled();

  await userEvent.click(screen.getByRole('button', { name: 'Stop dance and start hello_wave' }));
  expect(dashboard.calls.map(({ name }) => name)).toEqual(['startApp', 'stopCurrentApp', 'startApp']);
});

test('a running app says so and offers Stop in the place of Start', async () => {
  const dashboard = testDashboard({ stopCurrentApp: () => ({}) }, { slot: held('hello_wave') });
  renderDashboard(dashboard, <AppCard app={wave} />);
  expect(screen.getByText('running')).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Start/ })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Stop hello_wave' }));
  expect(dashboard.calls).toEqual([{ name: 'stopCurrentApp', input: {} }]);
});

test('an app that nothing is heard of says so, with what to do', () => {
  renderDashboard(testDashboard({}, { slot: { ...held('hello_wave'), sdk: 'silent' } }), <AppCard app={wave} />);
  expect(screen.getByText('running')).toBeVisible();
  expect(screen.getByText(/^Nothing is heard from it\./)).toHaveTextContent('or it hangs: then stop it.');
});

test('an app that does not end can be ended', async () => {
  const dashboard = testDashboard({ stopCurrentApp: () => ({}) }, { slot: held('hello_wave', 'stopping') });
  renderDashboard(dashboard, <AppCard app={wave} />);
  expect(screen.getByRole('button', { name: 'Stop hello_wave' })).toBeDisabled();
  await userEvent.click(screen.getByRole('button', { name: 'End hello_wave now' }));
  expect(dashboard.calls).toEqual([{ name: 'stopCurrentApp', input: { query: { force: true } } }]);
});

test('a crash is told with its message and a link to the output', () => {
  const dashboard = testDashboard({}, { slot: { state: 'free', lastRun: crashOf('hello_wave') } });
  renderDashboard(dashboard, <AppCard app={wave} />);
  expect(screen.getByText('crashed')).toBeVisible();
  expect(screen.getByText('hello_wave crashed: ZeroDivisionError.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'See its output' })).toHaveAttribute('href', '#/apps/hello_wave?tab=output');
});

test('its update takes the place of Start', () => {
  const dashboard = testDashboard({}, { jobs: [installJob('hello_wave')] });
  renderDashboard(dashboard, <AppCard app={wave} />);
  expect(screen.getByRole('progressbar', { name: 'Installing hello_wave' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Start hello_wave' })).toBeNull();
});

test('nothing can be started while the daemon does not answer', () => {
  const dashboard = testDashboard();
  renderDashboard(dashboard, <AppCard app={wave} />);
  act(() => dashboard.store.getState().setConnection({ phase: 'lost', retryAt: null, lastSeen: null }));
  expect(screen.getByRole('button', { name: 'Start hello_wave' })).toBeDisabled();
});
