import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { DaemonError } from '../../api/daemon-error.ts';
import { testDashboard } from '../../testing/fake-daemon.ts';
import {
  appFromHub,
  commit,
  crashOf,
  held,
  inSeconds,
  installedApp,
  installJob,
  moment,
} from '../../testing/fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { AppCard } from './AppCard.tsx';

const busy = 'An app is already running: "dance". Stop the current app first.';
const wave = installedApp('hello_wave', 'Hello wave');

test('a start beside a running app is a choice: nothing is replaced without a word', async () => {
  const dashboard = testDashboard(
    {
      startApp: () => {
        throw new DaemonError(409, busy);
      },
    },
    { slot: held('dance') },
  );
  renderDashboard(dashboard, <AppCard app={wave} />);
  await userEvent.click(screen.getByRole('button', { name: 'Start hello_wave' }));
  expect(screen.getByRole('alert')).toHaveTextContent(busy);
  expect(screen.getByRole('button', { name: 'Start hello_wave' })).toBeEnabled();

  await userEvent.click(screen.getByRole('button', { name: 'Keep dance' }));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(dashboard.calls).toHaveLength(1);

  await userEvent.click(screen.getByRole('button', { name: 'Start hello_wave' }));
  await userEvent.click(screen.getByRole('button', { name: 'Replace dance' }));
  expect(dashboard.calls.at(-1)).toEqual({
    name: 'startApp',
    input: { params: { appName: 'hello_wave' }, query: { replace: true } },
  });
});

test('what was not started here cannot be replaced from here', async () => {
  const elsewhere = 'An app is already running: "script", a program on this machine. Stop it first.';
  const slot = { ...held('script'), holder: { kind: 'local-app', name: 'script' } } as const;
  const refuse = () => {
    throw new DaemonError(409, elsewhere);
  };
  renderDashboard(testDashboard({ startApp: refuse }, { slot }), <AppCard app={wave} />);
  await userEvent.click(screen.getByRole('button', { name: 'Start hello_wave' }));
  expect(screen.getByRole('alert')).toHaveTextContent(elsewhere);
  expect(screen.queryByRole('button', { name: /^Replace/ })).toBeNull();
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

test('a start that waits says for what, and how long at most', () => {
  const slot = { ...held('hello_wave', 'starting'), detail: 'Waiting for the robot to wake up.', until: inSeconds(24) };
  renderDashboard(testDashboard({}, { slot }), <AppCard app={wave} />);
  expect(screen.getByText(/^Waiting for the robot to wake up\./)).toHaveTextContent('At most 24 s more.');
});

test('an app that does not end says what is left of it and until when, and can be ended', async () => {
  const alive = [
    { pid: 4242, command: 'python -m hello_wave.main' },
    { pid: 4250, command: 'ffmpeg -i mic' },
  ];
  const slot = { ...held('hello_wave', 'stopping'), detail: 'Waiting for it to end.', until: inSeconds(12), alive };
  const dashboard = testDashboard({ stopCurrentApp: () => ({}) }, { slot });
  renderDashboard(dashboard, <AppCard app={wave} />);
  expect(screen.getByRole('button', { name: 'Stop hello_wave' })).toBeDisabled();
  const stopping = within(screen.getByRole('region', { name: 'hello_wave is being stopped' }));
  expect(stopping.getByText(/^Waiting for it to end\./)).toHaveTextContent('It is killed in 12 s.');
  expect(stopping.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    '4242 python -m hello_wave.main',
    '4250 ffmpeg -i mic',
  ]);
  expect(stopping.getByRole('button', { name: 'Force stop hello_wave' })).toHaveTextContent('Force stop all 2');
  await userEvent.click(stopping.getByRole('button', { name: 'Force stop hello_wave' }));
  expect(dashboard.calls).toEqual([{ name: 'stopCurrentApp', input: { query: { force: true } } }]);
});

test('once nothing of a stopping app is left, nothing can be forced', () => {
  const slot = { ...held('hello_wave', 'stopping'), detail: 'The robot goes back to its default position.' };
  renderDashboard(testDashboard({}, { slot }), <AppCard app={wave} />);
  expect(screen.getByText('The robot goes back to its default position.')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Force stop hello_wave' })).toBeNull();
});

test('a crash is told with its message and a link to the output', () => {
  const dashboard = testDashboard({}, { slot: { state: 'free', lastRun: crashOf('hello_wave') } });
  renderDashboard(dashboard, <AppCard app={wave} />);
  expect(screen.getByText('crashed')).toBeVisible();
  expect(screen.getByText('hello_wave crashed: ZeroDivisionError.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'See its output' })).toHaveAttribute(
    'href',
    '#/apps/hello_wave?tab=runs&run=run-1',
  );
});

test('its update takes the place of Start; the icon of its settings stays', () => {
  const app = installedApp('hello_wave', 'Hello wave', { settingsPage: { port: 8042, path: '/' } });
  const dashboard = testDashboard({}, { jobs: [installJob('hello_wave', { kind: 'update-app' })] });
  renderDashboard(dashboard, <AppCard app={app} />);
  expect(screen.getByRole('progressbar', { name: 'Updating hello_wave' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Cancel update of hello_wave' })).toBeEnabled();
  expect(screen.queryByRole('button', { name: 'Start hello_wave' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Settings of hello_wave' })).toBeVisible();
});

test('a newer version is said on the card and installed from there; a pinned app stays as it is', async () => {
  const update = { commit: commit('b'), seenAt: moment };
  const dashboard = testDashboard({ updateApp: () => installJob('dance', { kind: 'update-app' }) });
  const { rerender } = renderDashboard(dashboard, <AppCard app={appFromHub('dance', { update })} />);
  expect(screen.getByText(/update available/)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Update dance' }));
  expect(dashboard.calls).toEqual([{ name: 'updateApp', input: { params: { appName: 'dance' } } }]);
  rerender(<AppCard app={appFromHub('dance', { update, pinned: true })} />);
  expect(screen.queryByRole('button', { name: 'Update dance' })).toBeNull();
  expect(screen.getByText(/pinned/)).toBeVisible();
});

test('nothing can be started while the daemon does not answer', () => {
  const dashboard = testDashboard();
  renderDashboard(dashboard, <AppCard app={wave} />);
  act(() => dashboard.store.getState().setConnection({ phase: 'lost', retryAt: null, lastSeen: null }));
  expect(screen.getByRole('button', { name: 'Start hello_wave' })).toBeDisabled();
});
