import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { PageBoundary } from './PageBoundary.tsx';

function Broken(): never {
  throw new Error('It has no name.');
}

test('a page that fails shows an error, the frame stays, and another page is shown', () => {
  const complaints = vi.spyOn(console, 'error').mockImplementation(() => {});
  const dashboard = testDashboard();
  const at = (path: string) => (
    <>
      <nav>Pages</nav>
      <PageBoundary path={path}>{path === 'apps/dance' ? <Broken /> : <h1>Apps</h1>}</PageBoundary>
    </>
  );
  const { rerender } = renderDashboard(dashboard, at('apps/dance'));
  expect(screen.getByRole('heading', { level: 1, name: 'This page cannot be shown' })).toBeVisible();
  expect(screen.getByRole('alert')).toHaveTextContent('It has no name.');
  expect(screen.getByRole('button', { name: 'Reload' })).toBeEnabled();
  expect(screen.getByText('Pages')).toBeVisible();
  rerender(at('apps'));
  expect(screen.getByRole('heading', { level: 1, name: 'Apps' })).toBeVisible();
  complaints.mockRestore();
});

test('a page that fails cannot be reloaded without the daemon, which would leave an error of the browser', () => {
  const complaints = vi.spyOn(console, 'error').mockImplementation(() => {});
  const dashboard = testDashboard();
  dashboard.store.getState().setConnection({ phase: 'lost', retryAt: null, lastSeen: null });
  renderDashboard(
    dashboard,
    <PageBoundary path="apps">
      <Broken />
    </PageBoundary>,
  );
  expect(screen.getByRole('button', { name: 'Reload' })).toBeDisabled();
  complaints.mockRestore();
});
