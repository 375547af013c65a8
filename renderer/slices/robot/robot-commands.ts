import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { RobotState } from '../../../daemon/contract/robot/robot.ts';

/** What a person can order of the robot, each with how the daemon is asked for it. */
export const robotOrders = {
  wakeUp: (daemon) => daemon.call('wakeUpRobot'),
  sleep: (daemon) => daemon.call('putRobotToSleep'),
  stop: (daemon) => daemon.call('stopRobot'),
  motorsOn: (daemon) => daemon.call('setMotorTorque', { body: { on: true } }),
  motorsOff: (daemon) => daemon.call('setMotorTorque', { body: { on: false } }),
  touchRight: (daemon) => daemon.call('touchAntenna', { query: { antenna: 'right' } }),
  touchLeft: (daemon) => daemon.call('touchAntenna', { query: { antenna: 'left' } }),
} as const satisfies Record<string, (daemon: DaemonClient) => Promise<unknown>>;

export type RobotOrder = keyof typeof robotOrders;

/** The one order that fits the state: up when the robot lies there or a motor has let go, else down. */
export function fittingOrder({ state, torque }: RobotState): 'wakeUp' | 'sleep' {
  return state === 'awake' && torque ? 'sleep' : 'wakeUp';
}

/** Why the daemon would refuse an order now, as a sentence, or null. `holder` is what holds the slot. */
export function whyNot(order: RobotOrder, robot: RobotState, holder: string | null): string | null {
  if (order === 'touchRight' || order === 'touchLeft') return null;
  if (order === 'stop') return robot.motion === null ? 'The robot is not moving.' : null;
  if (!robot.connected) return robot.reason ?? 'The robot is not connected.';
  // Waking one that lies there, or is in error, helps whoever has it.
  const disturbs = order !== 'wakeUp' || robot.state === 'awake';
  if (holder !== null && disturbs) return `${holder} has the robot. Stop it first.`;
  if (order === 'motorsOff') return null;
  if (robot.state === 'waking') return 'The robot is waking up.';
  return robot.state === 'going-to-sleep' ? 'The robot is going to sleep.' : null;
}
