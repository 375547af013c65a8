import { act, fireEvent, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { OwnMove } from '../../../daemon/contract/robot/moves.ts';
import type { RobotState } from '../../../daemon/contract/robot/robot.ts';
import { type TestDashboard, testDashboard } from '../../testing/fake-daemon.ts';
import { robotState, slotHeldBy } from '../../testing/fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { MovesPanel } from './MovesPanel.tsx';

const moves: OwnMove[] = [
  { name: 'head_shake', kind: 'emotion', description: 'It says no.', durationS: 1.5 },
  { name: 'yes', kind: 'emotion', description: '', durationS: 0.84 },
  { name: 'waltz', kind: 'dance', description: 'Round and round.', durationS: 12 },
];
const answers = { listMoves: () => moves, playMove: () => ({}), stopRobot: () => ({}) };
const button = (name: string) => screen.getByRole('button', { name });
const applyRobotState = ({ store }: TestDashboard, change: Partial<RobotState>) =>
  act(() => store.getState().apply({ type: 'robot.changed', robot: robotState(change) }));

async function shownPanel(dashboard: TestDashboard): Promise<TestDashboard> {
  renderDashboard(dashboard, <MovesPanel />);
  await screen.findByRole('button', { name: 'Play Yes' });
  return dashboard;
}

test('emotions and dances are lists, each with its description and duration', async () => {
  await shownPanel(testDashboard(answers));
  const items = (title: string) =>
    within(screen.getByRole('list', { name: title }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
  expect(items('Emotions')).toEqual(['Play Head shakeIt says no.1.5 s1', 'Play Yes0.8 s2']);
  expect(items('Dances')).toEqual(['Play WaltzRound and round.12.0 s3']);
});

test('a button plays its move, then stops it, and keeps the focus; another one takes its place', async () => {
  const dashboard = await shownPanel(testDashboard(answers));
  const { calls } = dashboard;
  await userEvent.click(button('Play Head shake'));
  applyRobotState(dashboard, { motion: 'playing head_shake', move: 'head_shake' });
  expect(button('Stop Head shake')).toHaveFocus();
  expect(screen.getByText('Playing')).toBeVisible();
  await userEvent.click(button('Play Waltz'));
  applyRobotState(dashboard, { motion: 'playing waltz', move: 'waltz' });
  expect(button('Play Head shake')).toBeVisible();
  await userEvent.keyboard('{Enter}');
  applyRobotState(dashboard, {});
  expect(button('Play Waltz')).toHaveFocus();
  expect(calls.filter(({ name }) => name !== 'listMoves').map(({ name, input }) => [name, input])).toEqual([
    ['playMove', { params: { name: 'head_shake' }, body: {} }],
    ['playMove', { params: { name: 'waltz' }, body: {} }],
    ['stopRobot', undefined],
  ]);
});

test.each<[string, object, string]>([
  ['sleeps', { robot: robotState({ state: 'asleep', torque: false }) }, 'The robot is asleep. Wake it first.'],
  ['is waking up', { robot: robotState({ state: 'waking' }) }, 'The robot is waking up.'],
  [
    'is unplugged',
    { robot: robotState({ state: 'disconnected', reason: 'The robot is not plugged in.' }) },
    'Moves play once the robot is ready.',
  ],
  [
    'is in error',
    { robot: robotState({ state: 'error', reason: 'A motor has shut down.' }) },
    'Moves play once the robot is ready.',
  ],
  ['is used by an app', { slot: slotHeldBy('dance') }, 'Moves play once dance ends.'],
])('while the robot %s, every move is disabled with the reason', async (_name, state, reason) => {
  const { calls } = await shownPanel(testDashboard(answers, state));
  expect(screen.getByText(reason)).toBeVisible();
  for (const each of screen.getAllByRole('button', { name: /^Play / })) {
    expect(each).toHaveAttribute('aria-disabled', 'true');
    expect(each).toHaveAccessibleDescription(reason);
    expect(each.closest('li')).toHaveClass('blocked');
    await userEvent.click(each);
  }
  expect(calls.map(({ name }) => name)).toEqual(['listMoves']);
});

test('a digit plays the move that has it, unless single keys are switched off', async () => {
  const dashboard = await shownPanel(testDashboard(answers));
  const played = () => dashboard.calls.filter(({ name }) => name === 'playMove').map(({ input }) => input);
  await userEvent.keyboard('2');
  expect(played()).toEqual([{ params: { name: 'yes' }, body: {} }]);
  expect(button('Play Waltz')).toHaveAttribute('aria-keyshortcuts', '3');
  act(() => dashboard.store.getState().setSingleKeys(false));
  expect(button('Play Waltz')).not.toHaveAttribute('aria-keyshortcuts');
  await userEvent.keyboard('3');
  expect(played()).toHaveLength(1);
});

test.each<[string, object]>([
  ['Shift and the key of 2 where that writes "/"', { key: '/', code: 'Digit2', shiftKey: true }],
  ['an arrow of a number pad', { key: 'ArrowDown', code: 'Numpad2' }],
])('%s plays nothing', async (_name, keys) => {
  const { calls } = await shownPanel(testDashboard(answers));
  fireEvent.keyDown(document.body, keys);
  expect(calls.map(({ name }) => name)).toEqual(['listMoves']);
});

test.each<[string, object]>([
  ['the number pad', { key: '2', code: 'Numpad2' }],
  ['Shift, where a digit needs it', { key: '2', code: 'Digit2', shiftKey: true }],
  ['the place of the digit', { key: 'é', code: 'Digit2' }],
])('a digit is pressed by %s, too', async (_name, keys) => {
  const { calls } = await shownPanel(testDashboard(answers));
  fireEvent.keyDown(document.body, keys);
  expect(calls.at(-1)).toEqual({ name: 'playMove', input: { params: { name: 'yes' }, body: {} } });
});

test('a move that still plays when an app starts can be stopped', async () => {
  const robot = robotState({ motion: 'playing yes', move: 'yes' });
  const dashboard = testDashboard(answers, { slot: slotHeldBy('dance'), robot });
  renderDashboard(dashboard, <MovesPanel />);
  await userEvent.click(await screen.findByRole('button', { name: 'Stop Yes' }));
  expect(dashboard.calls.at(-1)?.name).toBe('stopRobot');
});

test("the daemon's reason for a refusal is shown, and a failed load can be tried again", async () => {
  let fails = true;
  const dashboard = testDashboard({
    listMoves: () => {
      if (fails) throw new DaemonError(500, 'Internal error in the daemon.');
      return moves;
    },
    playMove: () => {
      throw new DaemonError(503, 'The motors are switched off. Switch them on first.');
    },
  });
  renderDashboard(dashboard, <MovesPanel />);
  const again = await screen.findByRole('button', { name: 'Try again' });
  fails = false;
  await userEvent.click(again);
  await userEvent.click(await screen.findByRole('button', { name: 'Play Yes' }));
  expect(screen.getByRole('alert')).toHaveTextContent('The motors are switched off. Switch them on first.');
});

test('a robot without moves says so', async () => {
  renderDashboard(testDashboard({ listMoves: () => [] }), <MovesPanel />);
  expect(await screen.findByText('The robot has no moves of its own.')).toBeVisible();
  expect(screen.queryByRole('heading')).toBeNull();
});
