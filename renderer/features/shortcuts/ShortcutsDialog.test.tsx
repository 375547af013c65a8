import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { ShortcutsDialog } from './ShortcutsDialog.tsx';

test('single keys are switched off in the list of shortcuts, and stay off in this browser', async () => {
  const afterReload = () => testDashboard().store.getState().singleKeys;
  renderDashboard(testDashboard(), <ShortcutsDialog onClose={() => {}} />);
  const toggle = screen.getByRole('switch', { name: 'Single keys' });
  expect(toggle).toBeChecked();
  await userEvent.click(toggle);
  expect(toggle).not.toBeChecked();
  expect(afterReload()).toBe(false);
  await userEvent.click(toggle);
  expect(toggle).toBeChecked();
  expect(afterReload()).toBe(true);
});
