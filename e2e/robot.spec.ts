/** The robot from the dashboard: wake, sleep, touch, unplugging, motor faults, torque. */
import type { Page } from '@playwright/test';
import type { SimulatedFault } from '../daemon/contract/robot/robot.ts';
import { type Daemon, expect, sampleApp, statusBar, test } from './fixtures.ts';

test.use({ daemonOptions: { name: 'hello-wave', apps: [sampleApp('hello_wave')] } });

test.beforeEach(async ({ daemon }) => {
  await daemon.freeSlot();
  await daemon.call('setStartupApp', { body: { startupApp: null } });
  await setFaults(daemon);
  await daemon.call('wakeUpRobot');
});

test('the robot is put to sleep and woken again, with the keyboard', async ({ page, open, daemon }) => {
  await open('#/robot');
  await expect(live(page)).toContainText('AwakeSimulation. ');
  await expect(live(page)).not.toContainText(/No robot|Connect a robot/);
  await button(page, 'Put to sleep').focus();
  await page.keyboard.press('Enter');
  await expect(live(page)).toContainText('Off: the joints can be moved by hand');
  await expect(statusBar(page)).toContainText('Asleep');
  expect((await daemon.robot()).robot).toMatchObject({ state: 'asleep', torque: false });

  // The focus is on the opposite command.
  await expect(button(page, 'Wake up')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(live(page)).toContainText('At its default position');
  await expect(button(page, 'Put to sleep')).toBeFocused();
  await expect(statusBar(page)).toContainText('Awake');
});

test('a motion is stopped where it is', async ({ page, open, daemon }) => {
  await open('#/robot');
  await expect(button(page, 'Stop motion')).toBeDisabled();
  const ended = daemon.call('gotoPosture', { body: { antennas: [-2, 2], durationS: 20 } });
  await expect(live(page)).toContainText('Moving');
  await expect.poll(async () => (await daemon.robot()).robot.atDefault).toBe(false);
  await button(page, 'Stop motion').click();
  expect(await ended).toMatchObject({ outcome: 'stopped', robot: { state: 'awake' } });
  await expect(button(page, 'Stop motion')).toBeDisabled();
  await expect(live(page)).toContainText('Away from its default position');
});

test('touching an antenna wakes the robot and starts the startup app', { tag: '@smoke' }, async ({
  page,
  open,
  daemon,
}) => {
  await open('#/apps/hello_wave');
  const chosen = page.getByRole('switch', { name: 'Start when the robot wakes up' });
  await chosen.press('Space');
  await expect(chosen).toBeChecked();
  expect(await daemon.call('getStartupApp')).toEqual({ startupApp: 'hello_wave' });
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(page.getByRole('region', { name: 'The robot' })).toContainText('Starts Hello wave when it wakes up');

  await page.getByRole('link', { name: 'Robot', exact: true }).click();
  await button(page, 'Put to sleep').click();
  await expect(live(page)).toContainText('Asleep');
  await waitUntilResting(daemon);
  await button(page, 'Touch left antenna').click();
  await expect(statusBar(page).getByRole('button', { name: 'Stop Hello wave' })).toBeEnabled();
  await expect(live(page)).toContainText('Moved by Hello wave');

  // A command that the daemon would refuse is disabled, and the page says why.
  await expect(button(page, 'Put to sleep')).toBeDisabled();
  await expect(live(page)).toContainText('Hello wave has the robot. Stop it first.');
  await statusBar(page).getByRole('button', { name: 'Stop Hello wave' }).click();
  await expect(button(page, 'Put to sleep')).toBeEnabled();
});

test('an unplugged robot says so on every page, and recovers by itself', async ({ page, open, daemon }) => {
  await open('#/robot?tab=diagnostics');
  await expect(page.getByRole('columnheader', { name: 'Position' }).first()).toBeVisible();
  await setFaults(daemon, { kind: 'unplugged' });
  await expect(live(page)).toContainText('The simulated robot is unplugged.');
  await expect(live(page)).toContainText('Remove this fault to plug it in again.');
  await expect(button(page, 'Wake up')).toBeDisabled();
  await expect(page.getByRole('columnheader', { name: 'Last seen' })).toBeVisible();
  await expect(statusBar(page)).toContainText('Disconnected');
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(page.getByRole('region', { name: 'Get the robot ready' })).toContainText(
    'The simulated robot is unplugged.',
  );
  await expect(page.getByRole('region', { name: 'Needs attention' })).toBeHidden();

  await button(page, 'Remove all faults').click();
  await expect(page.getByRole('region', { name: 'The robot', exact: true })).toContainText('At its default position');
  await expect(statusBar(page)).toContainText('Awake');
});

test('a motor that shuts down is shown with its fault, and holds again after the wake-up', async ({
  page,
  open,
  daemon,
}) => {
  await open('#/robot');
  await page.getByRole('tab', { name: 'Diagnostics' }).click();
  await expect(page.getByRole('region', { name: 'Motors' }).getByRole('row')).toHaveCount(1 + 9);
  await expect(motor(page, 'stewart_3')).toContainText(/OKOn\d\d °C\d\.\d V$/);

  await setFaults(daemon, { kind: 'overload', motor: 'stewart_3' });
  await expect(live(page)).toContainText('A motor has shut down: stewart_3 (overloaded).');
  await expect(motor(page, 'stewart_3')).toContainText('OverloadedOff');
  await expect(motor(page, 'stewart_4')).toContainText('OKOn');
  await setFaults(daemon, { kind: 'dead-servo', motor: 'left_antenna' });
  await expect(motor(page, 'left_antenna')).toContainText('No answer');

  // Waking the robot does not repair a motor that does not answer.
  await expect(button(page, 'Wake up')).toBeDisabled();
  await expect(live(page)).toContainText('The simulated left_antenna does not answer.');
  await setFaults(daemon);
  await expect(live(page)).toContainText('At its default position');
  await expect(motor(page, 'stewart_3')).toContainText('OKOn');
  await expect(motor(page, 'left_antenna')).toContainText('OKOn');
});

test('the motors are switched off after a warning, and switched on without moving', async ({ page, open, daemon }) => {
  const headHeight = async () => (await daemon.robot()).pose.head[11] ?? 0;
  await open('#/robot?tab=diagnostics');
  await button(page, 'Switch motors off…').click();
  const dialog = page.getByRole('dialog', { name: 'Switch the motors off' });
  await expect(dialog).toContainText('The head will sink');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(motor(page, 'stewart_1')).toContainText('On');
  await button(page, 'Switch motors off…').click();
  await dialog.getByRole('button', { name: 'Switch off and let it sink' }).click();
  await expect(motor(page, 'stewart_1')).toContainText('Off');
  await expect.poll(headHeight).toBeLessThan(-0.02);

  await button(page, 'Switch motors on').click();
  await expect(motor(page, 'stewart_1')).toContainText('On');
  await expect(live(page)).toContainText('Away from its default position');
  expect(await headHeight()).toBeLessThan(-0.02);
});

const live = (page: Page) => page.getByRole('region', { name: 'Live view' });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const motor = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Motors' }).getByRole('row', { name: new RegExp(`^${name} `) });

/** Replaces the simulated faults; without arguments, removes them. */
const setFaults = (daemon: Daemon, ...faults: SimulatedFault[]) =>
  daemon.call('setSimulatedFaults', { body: { faults } });

/** Antennas count as resting only after they have been still for a second. */
async function waitUntilResting(daemon: Daemon): Promise<void> {
  const timeS = async () => (await daemon.robot()).pose.timeS;
  const asleepSinceS = await timeS();
  await expect.poll(timeS).toBeGreaterThan(asleepSinceS + 2);
}
