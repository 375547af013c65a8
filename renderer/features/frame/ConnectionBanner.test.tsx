import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { TerminalCall } from '../../../daemon/contract/daemon.ts';
import { App } from '../../App.tsx';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { installedApp, installJob, slotHeldBy, snapshot } from '../../testing/fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { CODE_REFUSED } from '../session/session-text.ts';

const banner = () => within(screen.getByRole('region', { name: 'Connection' }));
const statusBar = () => screen.getByRole('contentinfo');
const lastSeen = new Date(2026, 2, 1, 12, 3, 5).getTime();

test('a daemon that hangs: the page says so, since when, and how to restart it, and claims nothing', async () => {
  const terminal: TerminalCall = { program: ['robot-daemon'], dataDir: '/data', shell: 'posix' };
  const dashboard = testDashboard(
    {},
    {
      daemon: { ...snapshot().daemon, terminal },
      installedApps: [installedApp('wave')],
      slot: slotHeldBy('wave'),
      jobs: [installJob('dance')],
    },
  );
  const { setConnection } = dashboard.store.getState();
  renderDashboard(dashboard, <App />);
  await userEvent.click(screen.getByRole('link', { name: 'Apps' }));
  const card = await screen.findByRole('article', { name: 'wave' });
  expect(card).toHaveTextContent(/running/);

  act(() => setConnection({ phase: 'silent', lastSeen }));
  expect(banner().getByRole('alert')).toHaveTextContent(
    /^The daemon does not answer. It runs, but it hangs or is overloaded. Last update at 12:03:05/,
  );
  expect(banner().getByText('If it stays like this, end it, then start it the way it was started.')).toBeVisible();
  expect(banner().queryByRole('button', { name: 'Try now' })).toBeNull();
  const user = userEvent.setup(); // with a clipboard
  await user.click(banner().getByRole('button', { name: 'More for a restart' }));
  await user.click(banner().getByRole('menuitem', { name: 'Copy as command' }));
  expect(await navigator.clipboard.readText()).toBe('robot-daemon restart --data-dir /data');
  expect(screen.getByRole('main')).toHaveClass('stale');
  expect(card).toHaveTextContent(/was running/);
  for (const text of ['Unknown', 'was awake', 'last seen', 'No answer']) expect(statusBar()).toHaveTextContent(text);
  for (const button of screen.getAllByRole('button', { name: /^(Start|Stop|Install)/ })) expect(button).toBeDisabled();

  act(() => setConnection({ phase: 'open' }));
  expect(screen.queryByRole('region', { name: 'Connection' })).toBeNull();
  expect(card).not.toHaveTextContent(/was running/);
  expect(statusBar()).toHaveTextContent('Awake');
});

test('a page that never heard the daemon does not claim that it hangs', () => {
  const dashboard = testDashboard({}, null);
  renderDashboard(dashboard, <App />);
  act(() => dashboard.store.getState().setConnection({ phase: 'silent', lastSeen: null }));
  expect(banner().getByRole('alert')).toHaveTextContent(/or this browser shows more than six pages of it at once\.$/);
});

test('the time of a run stands still while the daemon does not answer', () => {
  vi.useFakeTimers({ now: Date.parse('2026-03-01T10:00:42.000Z') });
  try {
    const dashboard = testDashboard({}, { slot: slotHeldBy('wave') });
    renderDashboard(dashboard, <App />);
    expect(screen.getByRole('main')).toHaveTextContent('00:42');
    act(() => dashboard.store.getState().setConnection({ phase: 'silent', lastSeen: Date.now() }));
    act(() => void vi.advanceTimersByTime(30_000));
    expect(screen.getByRole('main')).toHaveTextContent('00:42');
    act(() => dashboard.store.getState().setConnection({ phase: 'open' }));
    expect(screen.getByRole('main')).toHaveTextContent('01:12');
  } finally {
    vi.useRealTimers();
  }
});

test('without a command, as for the installed program, the page says to start it as it was started', () => {
  const dashboard = testDashboard();
  renderDashboard(dashboard, <App />);
  act(() => dashboard.store.getState().setConnection({ phase: 'silent', lastSeen }));
  expect(banner().getByText('If it stays like this, end it, then start it the way it was started.')).toBeVisible();
  expect(banner().queryByRole('button', { name: 'More for a restart' })).toBeNull();
  act(() => dashboard.store.getState().setConnection({ phase: 'lost', retryAt: null, lastSeen }));
  expect(banner().getByText('Start it the way it was started: this page cannot.')).toBeVisible();
});

test('a page that was signed out of a daemon that asks everybody says so, and how to sign in, until it is back', async () => {
  const dashboard = testDashboard({
    getSession: () => {
      throw new DaemonError(401, 'This daemon requires a token of every request.');
    },
  });
  renderDashboard(dashboard, <App />);
  const { setConnection, apply } = dashboard.store.getState();
  await act(async () => setConnection({ phase: 'lost', retryAt: Date.now(), lastSeen }));
  const says = /^You are signed out, so the daemon does not answer. Last update at .* once you are signed in.$/;
  expect(banner().getByRole('alert')).toHaveTextContent(says);
  expect(statusBar()).toHaveTextContent('Signed out');
  expect(banner().queryByText(/start it/i)).toBeNull();
  const fetched = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response());
  onTestFinished(() => fetched.mockRestore());
  const field = banner().getByLabelText('Code or token of the daemon');
  await userEvent.type(field, 'k7qf 2mxp 9twd{Enter}');
  expect(fetched).toHaveBeenCalledWith('/sign-in?code=k7qf%202mxp%209twd', { redirect: 'manual' });
  expect(await banner().findByText(CODE_REFUSED)).toBeVisible();
  await userEvent.clear(field);
  expect(banner().queryByText(CODE_REFUSED)).toBeNull();
  act(() => setConnection({ phase: 'lost', retryAt: null, lastSeen }));
  expect(banner().getByRole('alert')).toHaveTextContent(says);
  act(() => apply({ type: 'snapshot', snapshot: snapshot() }));
  act(() => setConnection({ phase: 'lost', retryAt: null, lastSeen }));
  expect(banner().getByRole('alert')).toHaveTextContent(/^The daemon does not answer. .* once it answers.$/);
  expect(statusBar()).toHaveTextContent('No daemon');
});

test('a slow attempt to connect greys the page without an alarm', () => {
  const dashboard = testDashboard({}, { slot: { state: 'free', lastRun: null } });
  renderDashboard(dashboard, <App />);
  act(() => dashboard.store.getState().setConnection({ phase: 'connecting', lastSeen }));
  expect(screen.queryByRole('region', { name: 'Connection' })).toBeNull();
  expect(screen.getByRole('main')).toHaveClass('stale');
  for (const text of ['Unknown', 'No app ran', 'Connecting']) expect(statusBar()).toHaveTextContent(text);
  expect(statusBar()).not.toHaveTextContent('No jobs');
});
