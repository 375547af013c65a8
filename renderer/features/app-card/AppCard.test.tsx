import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { CrashDiagnosis } from '../../../daemon/contract/apps/diagnosis.ts';
import { testDashboard } from '../../testing/fake-daemon.ts';
import {
  appFromHub,
  appVersion,
  commit,
  crashOf,
  failure,
  inSeconds,
  installedApp,
  installJob,
  moment,
  slotHeldBy,
} from '../../testing/fixtures.ts';
import { ownApp, ownAppsOf } from '../../testing/own-app-fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { AppCard } from './AppCard.tsx';

const busy = 'An app is already running: "dance". Stop the current app first.';
/** Earlier than `moment` of the other fixtures. */
const earlier = '2026-03-01T09:00:00.000Z';
const wave = installedApp('hello_wave', 'Hello wave');
/** A dashboard whose installed app is `wave`, unless the snapshot says otherwise. */
const dashboardWith: typeof testDashboard = (replies, snapshot) =>
  testDashboard(replies, { installedApps: [wave], ...snapshot });

test('a start while another app runs asks before it replaces that app', async () => {
  const dashboard = dashboardWith(
    {
      startApp: () => {
        throw new DaemonError(409, busy);
      },
    },
    { slot: slotHeldBy('dance'), installedApps: [wave, installedApp('dance', 'Dance')] },
  );
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
  renderDashboard(dashboard, <AppCard app={wave} />);
  await userEvent.click(screen.getByRole('button', { name: 'Start Hello wave' }));
  expect(screen.getByRole('alert')).toHaveTextContent(/^Dance is running\.Replace DanceCancel$/);
  expect(scrolled).toHaveBeenCalledOnce();
  expect(screen.getByRole('button', { name: 'Start Hello wave' })).toBeEnabled();
  const slot = slotHeldBy('dance', 'stopping');
  act(() => dashboard.store.getState().apply({ type: 'app-slot.changed', slot }));
  expect(screen.getByRole('alert')).toHaveTextContent(/^Dance is stopping\./);

  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(dashboard.calls).toHaveLength(1);

  await userEvent.click(screen.getByRole('button', { name: 'Start Hello wave' }));
  await userEvent.click(screen.getByRole('button', { name: 'Replace Dance' }));
  expect(dashboard.calls.at(-1)).toEqual({
    name: 'startApp',
    input: { params: { appName: 'hello_wave' }, query: { replace: true } },
  });
});

test('a program that the daemon did not start cannot be replaced', async () => {
  const message = 'An app is already running: "script", a program on this machine. Stop it first.';
  const slot = { ...slotHeldBy('script'), holder: { kind: 'local-app', name: 'script' } } as const;
  const refuse = () => {
    throw new DaemonError(409, message);
  };
  renderDashboard(dashboardWith({ startApp: refuse }, { slot }), <AppCard app={wave} />);
  await userEvent.click(screen.getByRole('button', { name: 'Start Hello wave' }));
  expect(screen.getByRole('alert')).toHaveTextContent(message);
  expect(screen.queryByRole('button', { name: /^Replace/ })).toBeNull();
});

test('a running app shows Stop instead of Start', async () => {
  const dashboard = dashboardWith({ stopCurrentApp: () => ({}) }, { slot: slotHeldBy('hello_wave') });
  renderDashboard(dashboard, <AppCard app={wave} />);
  expect(screen.getByText('running')).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Start/ })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Stop Hello wave' }));
  expect(dashboard.calls).toEqual([{ name: 'stopCurrentApp', input: {} }]);
});

test('an app with a silent SDK says so, with what to do', () => {
  renderDashboard(dashboardWith({}, { slot: { ...slotHeldBy('hello_wave'), sdk: 'silent' } }), <AppCard app={wave} />);
  expect(screen.getByText('running')).toBeVisible();
  expect(screen.getByText('No contact with the app: it may not use the robot, or it hangs.')).toBeVisible();
});

test('a waiting start says what it waits for and the time limit', () => {
  const slot = {
    ...slotHeldBy('hello_wave', 'starting'),
    detail: 'Waiting for the robot to wake up.',
    until: inSeconds(24),
  };
  renderDashboard(dashboardWith({}, { slot }), <AppCard app={wave} />);
  expect(screen.getByText(/^Waiting for the robot to wake up\./)).toHaveTextContent('At most 24 s more.');
});

test('an app that does not stop shows its processes, the time limit, and Force stop', async () => {
  const alive = [
    { pid: 4242, command: 'python -m hello_wave.main' },
    { pid: 4250, command: 'ffmpeg -i mic' },
  ];
  const slot = {
    ...slotHeldBy('hello_wave', 'stopping'),
    detail: 'Waiting for it to end.',
    until: inSeconds(12),
    alive,
  };
  const dashboard = dashboardWith({ stopCurrentApp: () => ({}) }, { slot });
  renderDashboard(dashboard, <AppCard app={wave} />);
  expect(screen.getByRole('button', { name: 'Stopping… Hello wave' })).toBeDisabled();
  const stopping = within(screen.getByRole('region', { name: 'Hello wave is being stopped' }));
  expect(stopping.getByText(/^Waiting for it to end\./)).toHaveTextContent('It is force-stopped in 12 s.');
  expect(stopping.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    '4242 python -m hello_wave.main',
    '4250 ffmpeg -i mic',
  ]);
  expect(stopping.getByRole('button', { name: 'Force stop all 2 of Hello wave' })).toHaveTextContent(
    'Force stop all 2',
  );
  await userEvent.click(stopping.getByRole('button', { name: 'Force stop all 2 of Hello wave' }));
  expect(dashboard.calls).toEqual([{ name: 'stopCurrentApp', input: { query: { force: true } } }]);
});

test('Force stop is gone when no process of the app is left', () => {
  const slot = { ...slotHeldBy('hello_wave', 'stopping'), detail: 'The robot goes back to its default position.' };
  renderDashboard(dashboardWith({}, { slot }), <AppCard app={wave} />);
  expect(screen.getByText('The robot goes back to its default position.')).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Force stop/ })).toBeNull();
});

test('a crash shows its message and a link to the output until it is seen, whatever runs now', async () => {
  const run = crashOf('hello_wave');
  const dashboard = dashboardWith({}, { slot: slotHeldBy('dance'), crashes: [{ run, seen: false }] });
  renderDashboard(dashboard, <AppCard app={wave} />);
  expect(screen.getByText('crashed')).toBeVisible();
  expect(screen.getByText('hello_wave crashed: ZeroDivisionError.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'See its output' })).toHaveAttribute(
    'href',
    '#/apps/hello_wave?tab=runs&run=run-1',
  );
  expect(screen.getAllByRole('button', { name: /start/i })).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss this message' }));
  expect(dashboard.calls).toEqual([{ name: 'markCrashSeen', input: { params: { runId: 'run-1' } } }]);
  act(() => dashboard.store.getState().apply({ type: 'app-crashes.changed', crashes: [{ run, seen: true }] }));
  expect(screen.queryByText('hello_wave crashed: ZeroDivisionError.')).toBeNull();
  expect(screen.getByText('crashed')).toBeVisible();
  act(() => dashboard.store.getState().apply({ type: 'app-crashes.changed', crashes: [] }));
  expect(screen.getByText('ready')).toBeVisible();
});

test('a crash takes the place of the description, and its details float after a press', async () => {
  const diagnosis: CrashDiagnosis = {
    ...{ cause: 'exception', message: 'It divides by zero.', action: 'Tell its author.', ownLine: null },
    evidence: ['ZeroDivisionError: division by zero'],
  };
  const run = crashOf('hello_wave', { diagnosis });
  renderDashboard(dashboardWith({}, { crashes: [{ run, seen: false }] }), <AppCard app={wave} />);
  expect(screen.getByText('It divides by zero.')).toBeVisible();
  expect(screen.queryByText(wave.description)).toBeNull();
  expect(screen.queryByText('Tell its author.')).toBeNull();
  const details = screen.getByRole('button', { name: 'Details of Hello wave' });
  expect(details).toHaveAttribute('aria-expanded', 'false');
  await userEvent.click(details);
  expect(screen.getByText('Tell its author.').closest('.app-card-float')).not.toBeNull();
  expect(screen.getAllByText('It divides by zero.'), 'said once').toHaveLength(1);
  expect(screen.getByText(wave.description)).toBeVisible();
  await userEvent.click(details);
  expect(screen.queryByText('Tell its author.')).toBeNull();
});

test('an update in progress replaces Start; the settings icon stays', () => {
  const app = installedApp('hello_wave', 'Hello wave', { settingsPage: { port: 8042, path: '/' } });
  const dashboard = dashboardWith({}, { jobs: [installJob('hello_wave', { kind: 'update-app' })] });
  renderDashboard(dashboard, <AppCard app={app} />);
  expect(screen.getByRole('progressbar', { name: 'Updating Hello wave' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Cancel update of Hello wave' })).toBeEnabled();
  expect(screen.queryByRole('button', { name: 'Start Hello wave' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Settings of Hello wave' })).toBeVisible();
});

test('the card shows and installs an update, except for a pinned app', async () => {
  const update = { commit: commit('b'), seenAt: moment };
  const dashboard = dashboardWith({ updateApp: () => installJob('dance', { kind: 'update-app' }) });
  const { rerender } = renderDashboard(dashboard, <AppCard app={appFromHub('dance', { update })} />);
  expect(screen.getByText(/update available/)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Update dance' }));
  expect(dashboard.calls).toEqual([{ name: 'updateApp', input: { params: { appName: 'dance' } } }]);
  rerender(<AppCard app={appFromHub('dance', { update, pinned: true })} />);
  expect(screen.queryByRole('button', { name: 'Update dance' })).toBeNull();
  expect(screen.getByText(/pinned/)).toBeVisible();
});

test('an update is disabled with a reason while the app runs', () => {
  const app = appFromHub('dance', { update: { commit: commit('b'), seenAt: moment } });
  renderDashboard(dashboardWith({}, { slot: slotHeldBy('dance') }), <AppCard app={app} />);
  expect(screen.getByText('It is running: stop it, then update.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Update dance' })).toBeDisabled();
});

test('a failed update is shown on the card until it is dismissed', async () => {
  const job = installJob('dance', { kind: 'update-app', state: 'failed', failure });
  renderDashboard(dashboardWith({}, { jobs: [job] }), <AppCard app={appFromHub('dance', { installedAt: earlier })} />);
  expect(screen.getByText(failure.message)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss this failure' }));
  expect(screen.queryByText(failure.message)).toBeNull();
});

test('unknown updates are noted on the card, with the reason as a tooltip', () => {
  renderDashboard(
    dashboardWith(),
    <AppCard app={appFromHub('dance', { updateProblem: 'The hub does not answer.' })} />,
  );
  expect(screen.getByText(/updates unknown/)).toHaveAttribute('title', 'The hub does not answer.');
});

test('an app whose update crashed at once is shown as rolled back: the restored version has not crashed', () => {
  const rolledBack = { from: appVersion('dance', '2.0.0'), at: moment, automatic: true, reason: 'It crashed.' };
  const crashes = [{ run: crashOf('dance', { version: '2.0.0' }), seen: true }];
  const { rerender } = renderDashboard(
    dashboardWith({}, { crashes }),
    <AppCard app={appFromHub('dance', { rolledBack })} />,
  );
  expect(screen.getByText('rolled back')).toHaveClass('tone-idle');
  rerender(<AppCard app={appFromHub('dance', { rolledBack: { ...rolledBack, at: earlier } })} />);
  expect(screen.getByText('crashed')).toBeVisible();
});

test('a force-stopped app is shown without alarm', () => {
  const lastRun = crashOf('hello_wave', { outcome: 'killed', message: 'It was force-stopped.' });
  renderDashboard(dashboardWith({}, { slot: { state: 'free', lastRun } }), <AppCard app={wave} />);
  expect(screen.getByText('force-stopped')).toHaveClass('tone-idle');
  expect(screen.getByText('It was force-stopped.').previousElementSibling).toHaveClass('tone-idle');
  expect(screen.queryByRole('button', { name: /^Dismiss/ })).toBeNull();
});

test('an app whose daemon was killed is not shown as force-stopped', () => {
  const unseen = { exitCode: null, signal: null, message: 'The daemon stopped while it ran.' };
  const lastRun = crashOf('hello_wave', { outcome: 'killed', ...unseen });
  renderDashboard(dashboardWith({}, { slot: { state: 'free', lastRun } }), <AppCard app={wave} />);
  expect(screen.getByText('interrupted')).toHaveClass('tone-idle');
  expect(screen.getByText('The daemon stopped while it ran.').previousElementSibling).toHaveClass('tone-idle');
});

test('nothing can be started while the daemon does not answer', () => {
  const dashboard = dashboardWith();
  renderDashboard(dashboard, <AppCard app={wave} />);
  act(() => dashboard.store.getState().setConnection({ phase: 'lost', retryAt: null, lastSeen: null }));
  expect(screen.getByRole('button', { name: 'Start Hello wave' })).toBeDisabled();
});

test('the emoji of a package is not shown: a machine may have no font that draws it', () => {
  renderDashboard(dashboardWith(), <AppCard app={installedApp('plain', 'Plain', { emoji: '👋' })} />);
  expect(screen.getByRole('article').textContent).not.toMatch(/\p{Extended_Pictographic}/u);
});

test('the card of an app from a folder of the user says so', () => {
  const app = installedApp('my_first_app', 'My first app', { source: { kind: 'folder', path: ownApp().folder } });
  renderDashboard(testDashboard({}, { installedApps: [app], ownApps: ownAppsOf([ownApp()]) }), <AppCard app={app} />);
  expect(screen.getByText(/from your folder, installed/)).toBeVisible();
});
