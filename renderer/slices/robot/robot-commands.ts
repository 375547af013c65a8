import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { RobotState } from '../../../daemon/contract/robot/robot.ts';

/** What a person can order of the robot, each with how the daemon is asked for it. */
export const robotCommands = {
  wakeUp: (daemon) => daemon.call('wakeUpRobot'),
  sleep: (daemon) => daemon.call('putRobotToSleep'),
  stop: (daemon) => daemon.call('stopRobot'),
  motorsOn: (daemon) => daemon.call('setMotorTorque', { body: { on: true } }),
  motorsOff: (daemon) => daemon.call('setMotorTorque', { body: { on: false } }),
  touchRight: (daemon) => daemon.call('touchAntenna', { query: { antenna: 'right' } }),
  touchLeft: (daemon) => daemon.call('touchAntenna', { query: { antenna: 'left' } }),
} as const satisfies Record<string, (daemon: DaemonClient) => Promise<unknown>>;

export type RobotCommand = keyof typeof robotCommands;

/** The one order that fits the state: up when the robot lies there or a motor has let go, else down. */
export function suggestedCommand({ state, torque }: RobotState): 'wakeUp' | 'sleep' {
  return state === 'awake' && torque ? 'sleep' : 'wakeUp';
}

/** Why the daemon would refuse an order now, as a sentence, or null. `holder` is what holds the slot. */
export function blockedReason(command: RobotCommand, robot: RobotState, holder: string | null): string | null {
  if (command === 'touchRight' || command === 'touchLeft') return null;
  if (command === 'stop') return robot.motion === null ? 'The robot is not moving.' : null;
  if (!robot.connected) return robot.reason ?? 'The robot is not connected.';
  // Waking one that lies there, or is in error, helps whoever has it.
  const disturbs = command !== 'wakeUp' || robot.state === 'awake';
  if (holder !== null && disturbs) return `${holder} has the robot. Stop it first.`;
  if (command === 'motorsOff') return null;
  if (robot.state === 'waking') return 'The robot is waking up.';
  return robot.state === 'going-to-sleep' ? 'The robot is going to sleep.' : null;
}
