/** A machine without a robot: the dashboard says so, helps to connect one, and a touch of the simulated one says what it does. */
import { expectAccessible } from './accessible.ts';
import { expect, sampleApp, statusBar, test } from './fixtures.ts';

test.use({ daemonOptions: { name: 'no-robot', args: ['--auto'], apps: [sampleApp('hello_wave')] } });

test('a robot that was not found is shown as simulated on every page, with what to check', async ({
  page,
  open,
  daemon,
}) => {
  await expect.poll(async () => (await daemon.robot()).robot.state).toBe('awake');
  for (const [hash, name] of [
    ['#/', 'The robot'],
    ['#/robot', 'Live view'],
  ] as const) {
    await open(hash);
    const robot = page.getByRole('region', { name });
    await expect(robot).toContainText('No robot found: simulated');
    await robot.getByText('Connect a robot').click();
    await expect(robot).toContainText(
      "Connect the robot's USB cable to this computer, and switch on its power supply.",
    );
    if (process.platform === 'linux') await expect(robot).toContainText('/etc/udev/rules.d/');
    await expect(statusBar(page)).toContainText('No robot');
    await expect(statusBar(page)).not.toContainText('Awake');
    await expectAccessible(page, `no-robot-${hash === '#/' ? 'home' : 'robot'}`);
  }
});

test('the simulated robot, touched without a startup app, says what a touch would do, and one is chosen there', async ({
  page,
  open,
  daemon,
}) => {
  await daemon.call('setStartupApp', { body: { startupApp: null } });
  await open('#/robot');
  const touch = page.getByRole('region', { name: 'Touch' });
  await expect(touch).toContainText('A touch starts no app until a startup app is chosen.');
  await touch.getByRole('button', { name: 'Choose one' }).click();
  const dialog = page.getByRole('dialog', { name: 'When the robot wakes up' });
  await expectAccessible(page, 'choose-startup-app');
  await dialog.getByRole('combobox', { name: 'Startup app' }).selectOption('hello_wave');
  await expect(touch).toContainText('A touch wakes the sleeping robot and starts Hello wave');
  await page.keyboard.press('Escape');
  await expect(touch.getByRole('button', { name: 'Choose another' })).toBeFocused();
  expect(await daemon.call('getStartupApp')).toEqual({ startupApp: 'hello_wave' });
});
