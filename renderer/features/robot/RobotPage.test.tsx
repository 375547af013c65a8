import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { RobotState } from '../../../daemon/contract/robot/robot.ts';
import { type TestDashboard, testDashboard } from '../../testing/fake-daemon.ts';
import { installedApp, motors, robotState, slotHeldBy } from '../../testing/fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { RobotPage } from './RobotPage.tsx';

const page = <RobotPage tab="diagnostics" />;
/** The calls, except of what the page loads. */
const commands = ({ calls }: TestDashboard) => calls.filter(({ name }) => name !== 'listMotors');
const button = (name: string) => screen.getByRole('button', { name });
const applyRobotState = ({ store }: TestDashboard, change: Partial<RobotState>) =>
  act(() => store.getState().apply({ type: 'robot.changed', robot: robotState(change) }));

test('one button wakes the robot or puts it to sleep, and keeps the focus', async () => {
  const dashboard = testDashboard(
    { wakeUpRobot: () => ({}), putRobotToSleep: () => ({}) },
    { robot: robotState({ state: 'asleep', torque: false }) },
  );
  renderDashboard(dashboard, page);
  expect(screen.getByText('Asleep')).toBeVisible();
  await userEvent.click(button('Wake up'));
  applyRobotState(dashboard, { state: 'waking', motion: 'waking up' });
  expect(button('Wake up')).toHaveAttribute('aria-disabled', 'true');
  expect(button('Wake up')).toHaveFocus();
  await userEvent.click(button('Wake up'));
  applyRobotState(dashboard, { state: 'awake' });
  expect(button('Put to sleep')).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  expect(commands(dashboard).map(({ name }) => name)).toEqual(['wakeUpRobot', 'putRobotToSleep']);
});

test('a motion in progress can be stopped', async () => {
  const dashboard = testDashboard({ stopRobot: () => ({}) });
  renderDashboard(dashboard, page);
  expect(button('Stop motion')).toHaveAttribute('aria-disabled', 'true');
  applyRobotState(dashboard, { state: 'going-to-sleep', motion: 'going to sleep' });
  await userEvent.click(button('Stop motion'));
  expect(commands(dashboard)).toEqual([{ name: 'stopRobot', input: undefined }]);
});

test('while an app uses the robot, sleep is disabled with the reason', async () => {
  const dashboard = testDashboard({}, { slot: slotHeldBy('dance') });
  renderDashboard(dashboard, page);
  expect(button('Put to sleep')).toHaveAttribute('aria-disabled', 'true');
  expect(button('Put to sleep')).toHaveAccessibleDescription('dance has the robot. Stop it first.');
  expect(screen.getByText('dance has the robot. Stop it first.')).toBeVisible();
  await userEvent.click(button('Put to sleep'));
  expect(commands(dashboard)).toEqual([]);
});

test("the daemon's reason for a refusal is shown beside the button", async () => {
  const dashboard = testDashboard(
    {
      wakeUpRobot: () => {
        throw new DaemonError(503, 'The motor stewart_1 does not hold.');
      },
    },
    { robot: robotState({ state: 'asleep' }) },
  );
  renderDashboard(dashboard, page);
  await userEvent.click(button('Wake up'));
  expect(screen.getByRole('alert')).toHaveTextContent('The motor stewart_1 does not hold.');
  await userEvent.click(button('Dismiss this message'));
  expect(screen.queryByRole('alert')).toBeNull();
});

const reason = 'The wake-up failed: The motor stewart_1 does not switch on.';
test.each([
  ['asleep', { state: 'asleep', torque: false }, 'Asleep'],
  ['awake, but not up', { state: 'awake', torque: true }, 'Awake'],
] as const)('a robot that did not wake up and is %s says why, and what to do', (_how, state, word) => {
  const robot = robotState({ ...state, reason, action: 'Wake it again.' });
  renderDashboard(testDashboard({}, { robot }), page);
  expect(screen.getByText(word)).toBeVisible();
  expect(screen.getByText(`Simulation. ${reason} Wake it again.`)).toBeVisible();
  expect(button('Wake up')).toBeVisible();
});

test('an unplugged robot shows the reason and the action, and its last pose marked as such', () => {
  const dashboard = testDashboard();
  renderDashboard(dashboard, page);
  expect(screen.getByRole('columnheader', { name: 'Position' })).toBeVisible();
  applyRobotState(dashboard, {
    state: 'disconnected',
    reason: 'The robot is not plugged in.',
    action: "Connect the robot's USB cable to this computer.",
    backend: 'lite',
  });
  expect(screen.getByText('Disconnected')).toBeVisible();
  expect(screen.getByText('The robot is not plugged in.')).toBeVisible();
  expect(screen.getByText("Connect the robot's USB cable to this computer.")).toBeVisible();
  expect(screen.getByRole('columnheader', { name: 'Last seen' })).toBeVisible();
  expect(screen.getByRole('img').querySelector('.robot-cable')).not.toBeNull();
  expect(button('Wake up')).toHaveAttribute('aria-disabled', 'true');
  expect(screen.queryByRole('button', { name: /^Copy/ })).toBeNull();
});

test('the faults of a simulated robot are ended where they are told; why they are a trouble is said once', async () => {
  const told = 'The simulated robot is unplugged.';
  const lost = { state: 'disconnected', reason: told, action: 'Remove this fault to plug it in again.' } as const;
  const dashboard = testDashboard({ setSimulatedFaults: () => ({ faults: [] }), listMotors: () => motors() });
  renderDashboard(dashboard, page);
  await screen.findByRole('button', { name: 'Switch motors off…' });
  applyRobotState(dashboard, lost);
  expect(screen.getAllByText(told)).toHaveLength(1);
  expect(screen.getByText('It works once the robot is ready.')).toBeVisible();
  await userEvent.click(button('Remove all faults'));
  expect(commands(dashboard)).toEqual([{ name: 'setSimulatedFaults', input: { body: { faults: [] } } }]);
  applyRobotState(dashboard, { ...lost, backend: 'lite' });
  expect(screen.queryByRole('button', { name: 'Remove all faults' })).toBeNull();
  applyRobotState(dashboard, { state: 'error', reason: 'A motor has shut down.', action: 'Wake it.' });
  expect(screen.queryByRole('button', { name: 'Remove all faults' })).toBeNull();
});

test('a connecting robot shows no action and no loose cable', () => {
  const robot = robotState({ state: 'disconnected', reason: 'The robot is being looked for.', backend: 'lite' });
  renderDashboard(testDashboard({}, { robot }), page);
  expect(screen.getByText('The robot is being looked for.')).toBeVisible();
  expect(screen.getByRole('img').querySelector('.robot-cable')).toBeNull();
});

test('the shell command of a repair can be copied', async () => {
  const command = "echo 'a rule' | sudo tee /etc/udev/rules.d/70-robot-lite.rules";
  const user = userEvent.setup();
  const robot = robotState({
    state: 'error',
    reason: 'You are not allowed to use the port.',
    action: 'Run this command in a terminal.',
    command,
  });
  renderDashboard(testDashboard({}, { robot }), page);
  await user.click(button('Copy the command that permits the use of the robot'));
  expect(await navigator.clipboard.readText()).toBe(command);
  expect(screen.getByText('Copied.')).toBeVisible();
});

test('a simulated robot can be touched, with a hint about the effect', async () => {
  const dashboard = testDashboard(
    { touchAntenna: () => ({}) },
    { installedApps: [installedApp('dance', 'Dance')], robot: robotState({ state: 'asleep', backend: 'emulator' }) },
  );
  renderDashboard(dashboard, page);
  const touch = within(screen.getByRole('region', { name: 'Touch' }));
  expect(touch.getByText('A touch starts no app until a startup app is chosen.')).toBeVisible();
  act(() => dashboard.store.getState().apply({ type: 'startup-app.changed', startupApp: 'dance' }));
  expect(touch.getByText('A touch wakes the sleeping robot and starts Dance.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Dance' })).toHaveAttribute('href', '#/apps/dance');
  await userEvent.click(touch.getByRole('button', { name: 'Touch right antenna' }));
  await userEvent.click(touch.getByRole('button', { name: 'Touch left antenna' }));
  expect(commands(dashboard).map(({ input }) => input)).toEqual([
    { query: { antenna: 'right' } },
    { query: { antenna: 'left' } },
  ]);
});

test.each([
  ['awake', 'A touch wakes the sleeping robot and starts Dance: put it to sleep to try.'],
  ['going-to-sleep', 'A touch wakes the sleeping robot and starts Dance, but not now.'],
  ['disconnected', 'A touch wakes the sleeping robot and starts Dance, but not now.'],
] as const)('the hint about a touch promises nothing of a robot that is %s', (state, hint) => {
  const installedApps = [installedApp('dance', 'Dance')];
  renderDashboard(testDashboard({}, { installedApps, startupApp: 'dance', robot: robotState({ state }) }), page);
  expect(within(screen.getByRole('region', { name: 'Touch' })).getByText(hint)).toBeVisible();
});

test('a real robot has no touch buttons', () => {
  renderDashboard(testDashboard({}, { robot: robotState({ backend: 'lite' }) }), page);
  expect(screen.queryByRole('region', { name: 'Touch' })).toBeNull();
  expect(screen.getByText('USB')).toBeVisible();
});

test('the startup app is chosen where a touch would start it', async () => {
  const dashboard = testDashboard(
    { setStartupApp: () => ({}) },
    { installedApps: [installedApp('dance', 'Dance'), installedApp('wave', 'Wave')] },
  );
  renderDashboard(dashboard, page);
  const touch = within(screen.getByRole('region', { name: 'Touch' }));
  await userEvent.click(touch.getByRole('button', { name: 'Choose one' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'When the robot wakes up' }));
  const chooser = dialog.getByRole('combobox', { name: 'Startup app' });
  expect(chooser).toHaveValue('');
  await userEvent.selectOptions(chooser, 'Wave (wave)');
  expect(commands(dashboard)).toEqual([{ name: 'setStartupApp', input: { body: { startupApp: 'wave' } } }]);
  act(() => dashboard.store.getState().apply({ type: 'startup-app.changed', startupApp: 'wave' }));
  expect(chooser, 'the dialog stays').toHaveValue('wave');
  expect(touch.getByText(/and starts Wave: put it to sleep to try\./)).toBeVisible();
  await userEvent.selectOptions(chooser, 'None');
  expect(commands(dashboard).at(-1)?.input).toEqual({ body: { startupApp: null } });
});

test('a real robot has the choice of the startup app beside it, a simulated one only beside its touch', () => {
  const { unmount } = renderDashboard(testDashboard(), page);
  expect(screen.getAllByRole('button', { name: 'Choose one' })).toHaveLength(1);
  unmount();
  renderDashboard(testDashboard({}, { robot: robotState({ backend: 'lite' }) }), page);
  expect(screen.getAllByRole('button', { name: 'Choose one' })).toHaveLength(1);
});

test('without an installed app, the choice of a startup app leads to the samples', async () => {
  renderDashboard(testDashboard(), page);
  await userEvent.click(
    within(screen.getByRole('region', { name: 'Touch' })).getByRole('button', { name: 'Choose one' }),
  );
  expect(await screen.findByRole('link', { name: 'Install one' })).toHaveAttribute('href', '#/apps?tab=samples');
});

test.each([
  ['no-robot', /No robot found: simulated/, /^Awake\. At its default position$/],
  ['robot-waiting', /Robot found, still simulated/, /^Awake\. At its default position$/],
  ['chosen', /^Awake$/, /^Simulation\. At its default position$/],
] as const)('a simulated robot says so: %s', (simulation, headline, detail) => {
  const command = "echo 'a rule' | sudo tee /etc/udev/rules.d/70-robot-lite.rules";
  const help = simulation === 'no-robot' ? { action: "Connect the robot's USB cable.", command } : {};
  renderDashboard(testDashboard({}, { robot: robotState({ simulation, ...help }) }), page);
  const stage = within(screen.getByRole('region', { name: 'Live view' }));
  expect(stage.getByText(headline)).toBeVisible();
  expect(stage.getByText(detail)).toBeVisible();
  expect(stage.queryByText('Connect a robot') !== null).toBe(simulation === 'no-robot');
  if (simulation === 'no-robot') expect(stage.getByText(command)).toBeInTheDocument();
});
