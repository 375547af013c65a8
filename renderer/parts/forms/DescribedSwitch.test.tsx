import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { DescribedSwitch } from './DescribedSwitch.tsx';

test('a switch has its name alone as a name, and its sentence once as a description', async () => {
  const onSwitch = vi.fn();
  renderDashboard(
    testDashboard(),
    <DescribedSwitch name="Keep answers" isOn={false} onSwitch={onSwitch}>
      The same request gets the same answer.
    </DescribedSwitch>,
  );
  const toggle = screen.getByRole('switch');
  expect(toggle).toHaveAccessibleName('Keep answers');
  expect(toggle).toHaveAccessibleDescription('The same request gets the same answer.');
  await userEvent.click(toggle);
  expect(onSwitch).toHaveBeenCalledExactlyOnceWith(true);
});
