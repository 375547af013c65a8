import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { RobotState } from '../../../daemon/contract/robot/robot.ts';

/** The robot's commands, each with its call of the daemon. */
export const robotCommands = {
  wakeUp: (call) => call('wakeUpRobot'),
  sleep: (call) => call('putRobotToSleep'),
  stop: (call) => call('stopRobot'),
  motorsOn: (call) => call('setMotorTorque', { body: { on: true } }),
  motorsOff: (call) => call('setMotorTorque', { body: { on: false } }),
  touchRight: (call) => call('touchAntenna', { query: { antenna: 'right' } }),
  touchLeft: (call) => call('touchAntenna', { query: { antenna: 'left' } }),
  removeFaults: (call) => call('setSimulatedFaults', { body: { faults: [] } }),
} as const satisfies Record<string, (call: DaemonClient['call']) => Promise<unknown>>;

export type RobotCommand = keyof typeof robotCommands;

/** Suggests sleep for an awake robot with torque, else wake-up; also after a wake-up that failed with torque on. */
export function suggestedCommand({ state, torque, reason }: RobotState): 'wakeUp' | 'sleep' {
  return state === 'awake' && torque && reason === null ? 'sleep' : 'wakeUp';
}

/** The name of the command that plays a move, in the state of the robot's commands. */
export const playCommand = (move: string): string => `play ${move}`;

/** Why the daemon would refuse to play a move now; null if it would not. `holder`: the program in the app slot. */
export function playBlockedReason(robot: RobotState, holder: string | null): string | null {
  if (robot.state === 'error' || !robot.connected) return robot.reason ?? 'The robot is not connected.';
  if (holder !== null) return `${holder} has the robot. Stop it first.`;
  if (robot.state === 'asleep') return 'The robot is asleep. Wake it first.';
  return underWay(robot);
}

/** Why the daemon would refuse a command now; null if it would not. `holder`: the program in the app slot. */
export function blockedReason(command: RobotCommand, robot: RobotState, holder: string | null): string | null {
  if (command === 'touchRight' || command === 'touchLeft' || command === 'removeFaults') return null;
  if (command === 'stop') return robot.motion === null ? 'The robot is not moving.' : null;
  if (!robot.connected) return robot.reason ?? 'The robot is not connected.';
  // Waking a robot that is asleep or in error does not disturb the program that uses it.
  const disturbs = command !== 'wakeUp' || robot.state === 'awake';
  if (holder !== null && disturbs) return `${holder} has the robot. Stop it first.`;
  if (command === 'motorsOff') return null;
  return underWay(robot);
}

function underWay({ state }: RobotState): string | null {
  if (state === 'waking') return 'The robot is waking up.';
  return state === 'going-to-sleep' ? 'The robot is going to sleep.' : null;
}
