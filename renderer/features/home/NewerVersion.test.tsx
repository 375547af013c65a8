import { screen } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { DesktopStatus, DesktopUpdate } from '../../../daemon/contract/desktop.ts';

const IN_WINDOW = '../../navigation/in-window.ts';

/** Renders Home in the window, with modules of its own: those that other files have loaded know that they are in a browser. */
async function renderWith(update: DesktopUpdate): Promise<void> {
  vi.resetModules();
  vi.doMock(IN_WINDOW, async (load) => ({ ...(await load<object>()), isInWindow: true }));
  onTestFinished(() => {
    vi.doUnmock(IN_WINDOW);
    vi.resetModules();
  });
  const { testDashboard } = await import('../../testing/fake-daemon.ts');
  const { snapshot } = await import('../../testing/fixtures.ts');
  const { renderDashboard } = await import('../../testing/render-dashboard.tsx');
  const { HomePage } = await import('./HomePage.tsx');
  const { daemon } = snapshot();
  const desktop = { update } as DesktopStatus;
  renderDashboard(testDashboard({}, { daemon: { ...daemon, desktop } }), <HomePage />);
}

test.each<DesktopUpdate>([
  { state: 'available', version: '1.2.0', by: 'program', command: null },
  { state: 'ready', version: '1.2.0' },
])('in its window a newer version of the program needs attention: %j', async (update) => {
  await renderWith(update);
  expect(screen.getByText(/is available →/)).toHaveTextContent('Robot Desktop 1.2.0 is available → Settings');
  expect(screen.getByRole('link', { name: 'Settings' })).toHaveAttribute('href', '#/settings?section=desktop');
});

test('where there is none, nothing does', async () => {
  await renderWith({ state: 'none', lookedAt: null });
  expect(screen.queryByText(/is available/)).toBeNull();
});
