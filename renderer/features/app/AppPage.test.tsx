import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { crashOf, installedApp, slotHeldBy } from '../../testing/fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { AppPage } from './AppPage.tsx';

const app = installedApp('dance', 'Dance');
const run = crashOf('dance');
const message = 'dance crashed: ZeroDivisionError.';
const seenCall = { name: 'markCrashSeen', input: { params: { runId: 'run-1' } } };
const seenCalls = ({ calls }: ReturnType<typeof testDashboard>) => calls.filter(({ name }) => name === 'markCrashSeen');

afterEach(() => vi.restoreAllMocks());

test('a crash counts as seen where it is shown, and stays there while it is read', () => {
  const dashboard = testDashboard({}, { installedApps: [app], crashes: [{ run, seen: false }] });
  renderDashboard(dashboard, <AppPage name="dance" tab={null} />);
  expect(screen.getByText(message)).toBeVisible();
  expect(seenCalls(dashboard)).toEqual([seenCall]);
  act(() => dashboard.store.getState().apply({ type: 'app-crashes.changed', crashes: [] }));
  expect(screen.getByText(message)).toBeVisible();
  expect(screen.getAllByRole('button', { name: /start/i })).toHaveLength(1);
});

test('a crash is not seen where it is not shown, nor on a hidden page', () => {
  const snapshot = { installedApps: [app], crashes: [{ run, seen: false }] };
  const versions = testDashboard({}, snapshot);
  renderDashboard(versions, <AppPage name="dance" tab="versions" />).unmount();
  expect(seenCalls(versions)).toEqual([]);
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  const hidden = testDashboard({}, snapshot);
  renderDashboard(hidden, <AppPage name="dance" tab={null} />);
  expect(seenCalls(hidden)).toEqual([]);
  visibility.mockReturnValue('visible');
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  expect(seenCalls(hidden)).toEqual([seenCall]);
});

test('a crash that nobody saw is shown even while the app runs again, and goes when it is started here', () => {
  const crashes = [{ run, seen: false }];
  const running = testDashboard({}, { installedApps: [app], crashes, slot: slotHeldBy('dance') });
  const { unmount } = renderDashboard(running, <AppPage name="dance" tab={null} />);
  expect(screen.getByText(message)).toBeVisible();
  unmount();
  const dashboard = testDashboard({}, { installedApps: [app], crashes });
  renderDashboard(dashboard, <AppPage name="dance" tab={null} />);
  expect(screen.getByText(message)).toBeVisible();
  act(() => dashboard.store.getState().apply({ type: 'app-slot.changed', slot: slotHeldBy('dance') }));
  expect(screen.queryByText(message)).toBeNull();
});

test('once Stop is pressed, the app cannot be restarted', async () => {
  const calls = { stopCurrentApp: () => new Promise(() => {}) };
  renderDashboard(
    testDashboard(calls, { installedApps: [app], slot: slotHeldBy('dance') }),
    <AppPage name="dance" tab={null} />,
  );
  const restart = screen.getByRole('button', { name: 'Restart Dance' });
  expect(restart).toBeEnabled();
  await userEvent.click(screen.getByRole('button', { name: 'Stop Dance' }));
  expect(restart).toBeDisabled();
});

test('the page begins with what the app is and what it does; its technical facts are folded', async () => {
  const described = installedApp('dance', 'Dance', { description: 'Dances to a beat.', needs: [] });
  renderDashboard(testDashboard({}, { installedApps: [described] }), <AppPage name="dance" tab={null} />);
  const summary = within(screen.getByRole('region', { name: 'Dance' }));
  expect(summary.getByText('Dances to a beat.')).toBeVisible();
  expect(summary.getByRole('button', { name: 'Start Dance' })).toBeEnabled();
  expect(screen.getAllByText('Dances to a beat.'), 'said once').toHaveLength(1);
  for (const fact of ['Version', 'Source', 'Installed']) expect(screen.getByText(fact)).toBeVisible();
  expect(screen.getByText('Main in dance.main')).not.toBeVisible();
  await userEvent.click(screen.getByText('Technical details'));
  expect(screen.getByText('Main in dance.main')).toBeVisible();
});

test('a long description is folded until the rest of it is asked for', async () => {
  const description = 'Dances to a beat that it hears. '.repeat(10).trim();
  const described = installedApp('dance', 'Dance', { description });
  renderDashboard(testDashboard({}, { installedApps: [described] }), <AppPage name="dance" tab={null} />);
  expect(screen.getByText(description)).toHaveClass('two-lines');
  await userEvent.click(screen.getByRole('button', { name: 'Show all' }));
  expect(screen.getByText(description)).not.toHaveClass('two-lines');
  await userEvent.click(screen.getByRole('button', { name: 'Show less' }));
  expect(screen.getByText(description)).toHaveClass('two-lines');
});

test('what the author has written is on a tab of its own, and asked for there', async () => {
  const dashboard = testDashboard(
    { getAppReadme: () => ({ markdown: 'It **dances**.', truncated: false }) },
    { installedApps: [app] },
  );
  const { unmount } = renderDashboard(dashboard, <AppPage name="dance" tab="about" />);
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
    ...['About', 'Read me', 'Output', 'Runs', 'Versions', 'Variables'],
  ]);
  expect(dashboard.calls.some(({ name }) => name === 'getAppReadme')).toBe(false);
  unmount();
  renderDashboard(dashboard, <AppPage name="dance" tab="readme" />);
  expect(await screen.findByText('dances')).toBeVisible();
  expect(screen.getByRole('region', { name: 'Read me' })).toHaveTextContent('It dances.');
});
