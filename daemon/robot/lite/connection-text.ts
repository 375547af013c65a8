import type { MotorName } from '../../contract/robot/robot.ts';
import { motorNames } from '../motors.ts';
import type { Connection } from '../robot-backend.ts';
import type { Hardware } from './hardware.ts';
import type { PortRefusal } from './serial-line.ts';

/** Why the robot cannot be used, for people. */
export type NotReady = Exclude<Connection, { state: 'ready' }>;

export function notReady(
  state: NotReady['state'],
  reason: string,
  action: string | null,
  command: string | null = null,
): NotReady {
  return { state, comingUp: false, reason, action, command };
}

function comingUp(reason: string): NotReady {
  return { state: 'disconnected', comingUp: true, reason, action: null, command: null };
}

export const searching = comingUp('Looking for the robot.');
export const starting = comingUp('The robot is starting up.');

export const notPluggedIn = notReady(
  'disconnected',
  'The robot is not plugged in.',
  "Connect the robot's USB cable to this computer.",
);

/** The steps by which a user gets a real robot in the place of the simulated one. */
export const noRobotHelp = (usb: Hardware['usb'], platform: NodeJS.Platform) => ({
  action: "Connect the robot's USB cable to this computer, and switch on its power supply.",
  command: platform === 'linux' ? ruleCommand(usb) : null,
});

export const severalPorts = (ports: readonly string[]): NotReady =>
  notReady('error', `More than one robot is plugged in: ${ports.join(', ')}.`, 'Unplug all but one of them.');

/** Motors that do not answer; if it is all of them, the power is missing. */
export function motorsSilent(names: readonly MotorName[]): NotReady {
  if (names.length === motorNames.length) {
    return notReady(
      'disconnected',
      "The robot's motors do not answer.",
      "Connect the robot's power supply, and switch it on.",
    );
  }
  const one = names.length === 1;
  return notReady(
    'error',
    one ? `The motor ${names[0]} does not answer.` : `These motors do not answer: ${names.join(', ')}.`,
    `Switch the robot off, check the cable of ${one ? 'that motor' : 'those motors'}, and switch it on again.`,
  );
}

export const configurationRejected = (name: MotorName): NotReady =>
  notReady('error', `The motor ${name} does not accept its configuration.`, 'Switch the robot off and on again.');

const volts = (voltageV: number) => `${voltageV.toFixed(1)} V`;

export const supplyComingUp = (voltageV: number): NotReady =>
  comingUp(`The robot's power supply is starting up: its motors have ${volts(voltageV)}.`);

export const lowVoltage = (voltageV: number, neededV: number): NotReady =>
  notReady(
    'error',
    `The robot's motors have ${volts(voltageV)}, less than the required ${volts(neededV)}.`,
    'Use the power supply that came with the robot, plugged into the wall.',
  );

const withoutStop = (message: string) => message.replace(/\.$/, '');

export const searchFailed = (message: string): NotReady =>
  notReady('error', `The search for the robot failed: ${withoutStop(message)}.`, null);

export const unexpected = (message: string): NotReady =>
  notReady('error', `The robot cannot be used: ${withoutStop(message)}.`, 'Unplug the robot, and plug it in again.');

/** Why a port cannot be opened, for people. */
export function portRefused(
  refusal: PortRefusal,
  path: string,
  message: string,
  { usb, platform }: { readonly usb: Hardware['usb']; readonly platform: NodeJS.Platform },
): NotReady {
  switch (refusal) {
    case 'gone':
      return notPluggedIn;
    case 'busy':
      return notReady('error', `Another program uses the robot's port ${path}.`, 'Quit that program.');
    case 'permission':
      return notReady(
        'error',
        `You have no permission to use the robot's port ${path}.`,
        platform === 'linux'
          ? 'Run this command in a terminal, then unplug the robot and plug it in again.'
          : 'Ask the administrator of this computer for access.',
        platform === 'linux' ? ruleCommand(usb) : null,
      );
    case 'other':
      return notReady(
        'error',
        `The robot's port ${path} cannot be opened: ${message}.`,
        'Unplug the robot, and plug it in again.',
      );
  }
}

/** Adds a udev rule: the logged-in user may use the robot, and ModemManager ignores it. */
function ruleCommand({ vendorId, productId }: Hardware['usb']): string {
  const rule = [
    'SUBSYSTEM=="tty"',
    `ATTRS{idVendor}=="${vendorId}"`,
    `ATTRS{idProduct}=="${productId}"`,
    'TAG+="uaccess"',
    'ENV{ID_MM_DEVICE_IGNORE}="1"',
  ].join(', ');
  return `echo '${rule}' | sudo tee /etc/udev/rules.d/70-robot-lite.rules && sudo udevadm control --reload`;
}
