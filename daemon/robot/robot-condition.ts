import type { Motor, MotorFault, RobotState } from '../contract/robot/robot.ts';
import type { Connection, RobotBackend } from './robot-backend.ts';

/** What the robot does by itself, while it can be reached and all its motors are well. */
export type Phase = 'asleep' | 'waking' | 'awake' | 'going-to-sleep';

/** A phase or a state in a sentence. */
export const phaseWords = (state: RobotState['state']): string => state.replaceAll('-', ' ');

/** Why the robot cannot move, and what to do about it. */
export function whyNot({ state, reason, action }: RobotState): string {
  if (reason === null) return `The robot is ${phaseWords(state)}. Wake it first.`;
  return [reason, action].filter((text) => text !== null).join(' ');
}

type Condition = Pick<RobotState, 'state' | 'connected' | 'reason' | 'action' | 'command'>;

/** What people are told the robot's state is: the worst of its connection, its motors and its phase. */
export function conditionOf(
  { connection, motors }: Pick<RobotBackend, 'connection' | 'motors'>,
  phase: Phase,
): Condition {
  if (connection.state !== 'ready') return lostCondition(connection);
  const faulty = motors.filter(({ faults }) => faults.some((fault) => fault !== 'input-voltage')); // which none lets go for
  if (faulty.length > 0) return faultCondition(faulty);
  return { state: phase, connected: true, reason: null, action: null, command: null };
}

function lostCondition({ state, reason, action, command }: Exclude<Connection, { state: 'ready' }>): Condition {
  return { state, connected: false, reason, action, command };
}

const faultWords: Readonly<Record<MotorFault, string>> = {
  'input-voltage': 'its voltage is out of range',
  overheating: 'it is too hot',
  'electrical-shock': 'its current was too high',
  overload: 'it was pushed too hard',
};

function faultCondition(faulty: readonly Motor[]): Condition {
  const each = faulty.map(({ name, faults }) => `${name} (${faults.map((fault) => faultWords[fault]).join(', ')})`);
  const hot = faulty.some(({ faults }) => faults.includes('overheating'));
  return {
    state: 'error',
    connected: true,
    reason: `A motor has let go: ${each.join('; ')}.`,
    action: hot
      ? 'Let the robot cool down for a few minutes, then wake it.'
      : 'Make sure that nothing holds the robot, then wake it.',
    command: null,
  };
}
