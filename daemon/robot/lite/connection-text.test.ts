import { expect, test } from 'vitest';
import { motorNames } from '../motors.ts';
import { motorsSilent, notPluggedIn, portRefused } from './connection-text.ts';

const usb = { vendorId: '1a86', productId: '55d3' };
const refused = (refusal: Parameters<typeof portRefused>[0], platform: NodeJS.Platform = 'linux') =>
  portRefused(refusal, '/dev/ttyACM0', 'Error: what it said', { usb, platform });

test('on Linux, a user without permission gets the command that grants it', () => {
  expect(refused('permission')).toEqual({
    state: 'error',
    comingUp: false,
    reason: "You have no permission to use the robot's port /dev/ttyACM0.",
    action: 'Run this command in a terminal, then unplug the robot and plug it in again.',
    command:
      `echo 'SUBSYSTEM=="tty", ATTRS{idVendor}=="1a86", ATTRS{idProduct}=="55d3", TAG+="uaccess", ` +
      `ENV{ID_MM_DEVICE_IGNORE}="1"' | sudo tee /etc/udev/rules.d/70-robot-lite.rules && sudo udevadm control --reload`,
  });
});

test('on other systems there is no such command', () => {
  expect(refused('permission', 'darwin')).toMatchObject({ command: null });
});

test('a port that is busy, gone or fails otherwise has its own text', () => {
  expect(refused('busy')).toMatchObject({
    reason: "Another program uses the robot's port /dev/ttyACM0.",
    action: 'Quit that program.',
  });
  expect(refused('gone')).toBe(notPluggedIn);
  expect(refused('other').reason).toBe("The robot's port /dev/ttyACM0 cannot be opened: Error: what it said.");
});

test('the text names one motor, several motors, or the power supply', () => {
  expect(motorsSilent(motorNames)).toMatchObject({
    state: 'disconnected',
    reason: "The robot's motors do not answer.",
    action: "Connect the robot's power supply, and switch it on.",
  });
  expect(motorsSilent(['stewart_3'])).toMatchObject({
    reason: 'The motor stewart_3 does not answer.',
    action: 'Switch the robot off, check the cable of that motor, and switch it on again.',
  });
  expect(motorsSilent(['stewart_3', 'left_antenna'])).toMatchObject({
    reason: 'These motors do not answer: stewart_3, left_antenna.',
    action: 'Switch the robot off, check the cable of those motors, and switch it on again.',
  });
});
