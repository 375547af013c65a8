import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { slotHeldBy } from '../../testing/fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { RestartButton } from './AppControls.tsx';

test.each([
  ['runs', slotHeldBy('dance'), true],
  ['may run without saying so', { ...slotHeldBy('dance', 'starting'), sdk: 'silent' as const }, true],
  ['starts', { ...slotHeldBy('dance', 'starting'), sdk: 'waiting' as const }, false],
  ['is being stopped', { ...slotHeldBy('dance', 'stopping'), sdk: 'silent' as const }, false],
])('Restart of an app that %s', (_what, slot, isEnabled) => {
  renderDashboard(testDashboard({}, { slot }), <RestartButton name="dance" />);
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Restart dance' });
  expect(!button.disabled).toBe(isEnabled);
});
