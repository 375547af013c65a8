import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import { answered } from '../../slices/base/answers.ts';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { motors, robotState, slotHeldBy } from '../../testing/fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { MotorsPanel } from './MotorsPanel.tsx';

afterEach(() => {
  vi.useRealTimers();
});

const row = (name: string) => screen.getByRole('row', { name: new RegExp(`^${name} `) });
const loadCount = (calls: readonly { name: string }[]) => calls.filter(({ name }) => name === 'listMotors').length;

test('each motor has a row with its faults', async () => {
  const listMotors = () =>
    motors({
      stewart_3: { torque: false, faults: ['overload', 'overheating'], temperatureC: 74.6 },
      left_antenna: { answers: false, torque: false, voltageV: null, temperatureC: null },
    });
  renderDashboard(testDashboard({ listMotors }), <MotorsPanel />);
  expect(await screen.findAllByRole('row')).toHaveLength(1 + 9);
  expect(row('body_rotation')).toHaveTextContent('body_rotation id 10OKOn31 °C5.0 V');
  expect(row('stewart_3')).toHaveTextContent('stewart_3 id 13Overloaded, OverheatedOff75 °C5.0 V');
  expect(row('left_antenna')).toHaveTextContent('left_antenna id 18No answerOff––');
});

test('the motors are loaded every 2 s and when the robot changes, only while they are visible', async () => {
  vi.useFakeTimers();
  const { store, calls } = testDashboard({ listMotors: () => motors() });
  const { unmount } = renderDashboard({ store, calls, retries: () => 0 }, <MotorsPanel />);
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  await pass(0);
  expect(loadCount(calls)).toBe(1);
  await pass(2_000);
  await pass(2_000);
  expect(loadCount(calls)).toBe(3);
  act(() => store.getState().apply({ type: 'robot.changed', robot: robotState({ torque: false }) }));
  await pass(0);
  expect(loadCount(calls)).toBe(4);

  act(() => store.getState().setConnection({ phase: 'paused' }));
  await pass(60_000);
  expect(loadCount(calls)).toBe(4);
  act(() => store.getState().setConnection({ phase: 'open' }));
  await pass(0);
  expect(loadCount(calls)).toBe(5);
  unmount();
  await pass(60_000);
  expect(loadCount(calls)).toBe(5);
});

test('a reply after the panel was closed is ignored', async () => {
  vi.useFakeTimers();
  const late = Promise.withResolvers<unknown>();
  const dashboard = testDashboard({ listMotors: () => late.promise });
  renderDashboard(dashboard, <MotorsPanel />).unmount();
  late.resolve(motors());
  await vi.advanceTimersByTimeAsync(60_000);
  expect(answered(['motors'])(dashboard.store.getState())).toBeNull();
});

test('a failure is shown, and the last values stay', async () => {
  let fail = false;
  const dashboard = testDashboard({
    listMotors: () => {
      if (fail) throw new DaemonError(500, 'The daemon failed.');
      return motors();
    },
  });
  renderDashboard(dashboard, <MotorsPanel />);
  await screen.findAllByRole('row');
  fail = true;
  act(() => dashboard.store.getState().apply({ type: 'robot.changed', robot: robotState({ torque: false }) }));
  expect(await screen.findByText('The daemon failed.')).toBeVisible();
  expect(screen.getAllByRole('row')).toHaveLength(1 + 9);
});

test('the motors are switched off only after a confirmation', async () => {
  const dashboard = testDashboard({ listMotors: () => motors(), setMotorTorque: () => motors() });
  const torqueCalls = () => dashboard.calls.filter(({ name }) => name === 'setMotorTorque').map(({ input }) => input);
  renderDashboard(dashboard, <MotorsPanel />);
  await userEvent.click(await screen.findByRole('button', { name: 'Switch motors off…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Switch the motors off' }));
  expect(dialog.getByText(/^The head will sink/)).toBeVisible();
  expect(torqueCalls()).toEqual([]);
  await userEvent.click(dialog.getByRole('button', { name: 'Switch off and let it sink' }));
  expect(torqueCalls()).toEqual([{ body: { on: false } }]);
});

test('motors that are off are switched on at once', async () => {
  const off = motors().map((motor) => ({ ...motor, torque: false }));
  const dashboard = testDashboard(
    { listMotors: () => off, setMotorTorque: () => motors() },
    { robot: robotState({ torque: false }) },
  );
  renderDashboard(dashboard, <MotorsPanel />);
  await userEvent.click(await screen.findByRole('button', { name: 'Switch motors on' }));
  expect(dashboard.calls.at(-1)).toEqual({ name: 'setMotorTorque', input: { body: { on: true } } });
});

test('the motors cannot be switched while an app uses the robot', async () => {
  renderDashboard(testDashboard({ listMotors: () => motors() }, { slot: slotHeldBy('dance') }), <MotorsPanel />);
  const button = await screen.findByRole('button', { name: 'Switch motors off…' });
  expect(button).toHaveAttribute('aria-disabled', 'true');
  expect(button).toHaveAccessibleDescription('It works once dance ends.');
  await userEvent.click(button);
  expect(screen.queryByRole('dialog')).toBeNull();
});
