import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { robotState } from '../../testing/fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { HomePage } from './HomePage.tsx';

test('a robot in trouble says why and what to do, once', () => {
  const reason = 'A motor has let go: stewart_3 (it was pushed too hard).';
  const action = 'Make sure that nothing holds the robot, then wake it.';
  renderDashboard(testDashboard({}, { robot: robotState({ state: 'error', reason, action }) }), <HomePage />);
  const card = within(screen.getByRole('region', { name: 'The robot' }));
  expect(card.getByText('Error')).toBeVisible();
  expect(card.getByText(reason)).toBeVisible();
  expect(card.getByText(action)).toBeVisible();
  expect(screen.getAllByText(reason)).toHaveLength(1);
  expect(screen.getByRole('region', { name: 'Needs you' })).toHaveTextContent('Nothing but the robot.');
});
