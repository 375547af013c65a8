import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { DesktopStatus, DesktopUpdate } from '../../../daemon/contract/desktop.ts';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { snapshot } from '../../testing/fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { HomePage } from './HomePage.tsx';

vi.mock('../../navigation/in-window.ts', async (load) => ({ ...(await load<object>()), isInWindow: true }));

function renderWith(update: DesktopUpdate): void {
  const desktop = { update } as DesktopStatus;
  const { daemon } = snapshot();
  renderDashboard(testDashboard({}, { daemon: { ...daemon, desktop } }), <HomePage />);
}

test.each<DesktopUpdate>([
  { state: 'available', version: '1.2.0', by: 'program', command: null },
  { state: 'ready', version: '1.2.0' },
])('in its window a newer version of the program needs attention: %j', (update) => {
  renderWith(update);
  expect(screen.getByText(/is available →/)).toHaveTextContent('Robot Desktop 1.2.0 is available → Settings');
  expect(screen.getByRole('link', { name: 'Settings' })).toHaveAttribute('href', '#/settings?section=desktop');
});

test('where there is none, nothing does', () => {
  renderWith({ state: 'none', lookedAt: null });
  expect(screen.queryByText(/is available/)).toBeNull();
});
