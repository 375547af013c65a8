import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeAll, expect, test } from 'vitest';
import { App } from './App.tsx';
import { loadPages } from './pages.ts';
import { testDashboard } from './testing/fake-daemon.ts';
import {
  installedApp,
  installJob,
  lines,
  outputPage,
  pose,
  robotState,
  sampleApp,
  slotHeldBy,
  snapshot,
} from './testing/fixtures.ts';
import { renderDashboard } from './testing/render-dashboard.tsx';

beforeAll(loadPages); // their code takes seconds on a busy machine

test('the frame claims nothing before the first snapshot', () => {
  const dashboard = testDashboard({}, null);
  renderDashboard(dashboard, <App />);
  expect(screen.getByRole('status', { name: 'Loading' })).toBeInTheDocument();
  expect(screen.queryByRole('heading', { level: 1 })).toBeNull();
  expect(screen.getByText('Robot unknown')).toBeVisible();
  expect(screen.queryByText('No app runs')).toBeNull();
  expect(screen.queryByText('No jobs')).toBeNull();
});

test('a lost connection shows a banner at once, keeps the last state, disables actions, and recovers', async () => {
  const dashboard = testDashboard({}, { sampleApps: [sampleApp('hello_wave', 'Hello wave')] });
  const { setConnection, apply } = dashboard.store.getState();
  renderDashboard(dashboard, <App />);
  act(() => setConnection({ phase: 'lost', retryAt: Date.now() + 4_000, lastSeen: Date.now() }));
  const banner = within(screen.getByRole('region', { name: 'Connection' }));
  expect(banner.getByRole('alert')).toHaveTextContent(
    /^The daemon does not answer. It may have been stopped. Last update/,
  );
  expect(banner.getByText('Trying again in 4 s')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Try it: Hello wave' })).toBeDisabled();
  await userEvent.click(banner.getByRole('button', { name: 'Try now' }));
  expect(dashboard.retries()).toBe(1);

  act(() => apply({ type: 'snapshot', snapshot: snapshot({ installedApps: [installedApp('dance')] }) }));
  act(() => setConnection({ phase: 'open' }));
  expect(screen.queryByRole('region', { name: 'Connection' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Start dance' })).toBeEnabled();
});

test('while nothing can be saved, every page says why and what to do', async () => {
  const { daemon } = snapshot();
  const reason = 'The disk of /data is full.';
  const full = { ...daemon, storageProblem: { reason, action: 'Free some space on it.' } };
  const dashboard = testDashboard({}, { daemon: full });
  renderDashboard(dashboard, <App />);
  for (const page of ['Home', 'Activity', 'Settings']) {
    await userEvent.click(screen.getByRole('link', { name: page }));
    expect(await screen.findByRole('heading', { level: 1, name: page })).toBeVisible();
    const notice = within(screen.getByRole('region', { name: 'Storage' }));
    expect(notice.getByText('Nothing can be saved, and no app can start.')).toBeVisible();
    expect(notice.getByText(/The disk of \/data is full. Free some space on it./)).toBeVisible();
  }
  act(() => dashboard.store.getState().apply({ type: 'daemon.changed', daemon }));
  expect(screen.queryByRole('region', { name: 'Storage' })).toBeNull();
});

test('Help is at the end of the rail, after the pages', async () => {
  renderDashboard(testDashboard(), <App />);
  const links = within(screen.getByRole('navigation', { name: 'Pages' })).getAllByRole('link');
  expect(links.map(({ textContent }) => textContent)).toEqual([
    ...['Home', 'Robot', 'Apps', 'Models', 'Activity', 'Settings'],
    'Help',
  ]);
  await userEvent.click(screen.getByRole('link', { name: 'Help' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Help' })).toHaveFocus();
  expect(screen.getByRole('link', { name: 'Help' })).toHaveAttribute('aria-current', 'page');
});

test('the running app has one Stop on every page: on Home in its card, else in the status bar', async () => {
  const dashboard = testDashboard({}, { slot: slotHeldBy('dance'), jobs: [installJob('hello_wave')] });
  renderDashboard(dashboard, <App />);
  for (const page of ['Home', 'Robot', 'Apps', 'Models', 'Activity']) {
    await userEvent.click(screen.getByRole('link', { name: page }));
    expect(await screen.findByRole('heading', { level: 1, name: page })).toBeVisible();
    const bar = within(screen.getByRole('contentinfo'));
    expect(bar.getByText('Awake')).toBeVisible();
    expect(bar.getByRole('link', { name: '1 job' })).toBeVisible();
    const place = page === 'Home' ? within(screen.getByRole('main')) : bar;
    expect(place.getByRole('link', { name: 'dance' })).toBeVisible();
    expect(place.getByRole('button', { name: 'Stop dance' })).toBeEnabled();
    expect(screen.getAllByRole('button', { name: 'Stop dance' })).toHaveLength(1);
  }
});

test('the status bar says why the robot did not wake up', () => {
  const reason = 'The wake-up failed: The motor stewart_1 does not switch on.';
  const robot = robotState({ state: 'asleep', torque: false, reason, action: 'Wake it again.' });
  renderDashboard(testDashboard({}, { robot }), <App />);
  const bar = within(screen.getByRole('contentinfo'));
  expect(bar.getByText(reason)).toBeVisible();
});

test('Ctrl and a number open a page', async () => {
  renderDashboard(testDashboard(), <App />);
  await userEvent.keyboard('{Control>}2{/Control}');
  expect(await screen.findByRole('heading', { level: 1, name: 'Robot' })).toBeVisible();
});

test('a key alone acts unless such keys are switched off, one with Ctrl always', async () => {
  const dashboard = testDashboard();
  const { setSingleKeys } = dashboard.store.getState();
  renderDashboard(dashboard, <App />);
  act(() => setSingleKeys(false));
  await userEvent.keyboard('?');
  await userEvent.keyboard('{Control>}2{/Control}');
  expect(await screen.findByRole('heading', { level: 1, name: 'Robot' })).toBeVisible();
  expect(screen.queryByRole('dialog')).toBeNull();
  act(() => setSingleKeys(true));
  await userEvent.keyboard('?');
  expect(await screen.findByRole('dialog', { name: 'Shortcuts' })).toBeVisible();
});

test('the joints follow the robot, in degrees', async () => {
  const dashboard = testDashboard();
  window.location.hash = '#/robot?tab=diagnostics';
  renderDashboard(dashboard, <App />);
  await screen.findByRole('heading', { level: 1, name: 'Robot' });
  act(() =>
    dashboard.store.getState().apply({
      type: 'robot.pose',
      pose: { ...pose, joints: { ...pose.joints, bodyYaw: Math.PI / 6 } },
    }),
  );
  expect(screen.getByRole('row', { name: /^Body yaw 30\.0°/ })).toBeVisible();
  expect(screen.getByRole('meter', { name: 'Body yaw' })).toHaveAttribute('aria-valuetext', '30.0°');
  expect(screen.getAllByRole('meter')).toHaveLength(9);
});

test('the output of an app is numbered, labels the error stream, and counts discarded lines', async () => {
  const [first, second] = lines(41, 42);
  if (!first || !second) throw new Error('two lines');
  const output = outputPage({
    runId: 'run-1',
    appName: 'dance',
    firstKept: 41,
    last: 42,
    lines: [first, { ...second, stream: 'stderr' }],
  });
  window.location.hash = '#/apps/dance?tab=output';
  renderDashboard(testDashboard({}, { installedApps: [installedApp('dance')], output }), <App />);
  expect(await screen.findByRole('log', { name: 'Output' })).toHaveTextContent('41line 4142errline 42');
  expect(screen.getByText(/^The newest 2 of 42 lines/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Copy output' })).toBeEnabled();
});

test('a running job is not shown as queued', async () => {
  window.location.hash = '#/activity';
  renderDashboard(testDashboard({}, { jobs: [installJob('dance', { detail: null })] }), <App />);
  expect(await screen.findByRole('article', { name: 'Install dance' })).toBeVisible();
  expect(screen.queryByText(/queued/i)).toBeNull();
});
