import { problemText } from '../contract/robot/problem-text.ts';
import type { Motor, MotorFault, RobotState } from '../contract/robot/robot.ts';
import type { JointDrive } from './joint-drive.ts';
import { defaultJoints } from './motions/posture.ts';
import { largestDifference } from './motors.ts';
import type { Connection, RobotBackend } from './robot-backend.ts';
import type { NotWoken } from './wanted-state.ts';

/** Tolerance for being at a posture, per joint. */
const AT_POSTURE_RAD = 0.05;

/** The phase of a robot that is connected and whose motors have no faults. */
export type Phase = 'asleep' | 'waking' | 'awake' | 'going-to-sleep';

/** A phase or state for a sentence: "going to sleep". */
export const phaseText = (state: RobotState['state']): string => state.replaceAll('-', ' ');

/** Why the robot cannot move, and what to do about it, in sentences. */
export function unavailableReason(robot: RobotState): string {
  return problemText(robot) ?? `The robot is ${phaseText(robot.state)}. Wake it first.`;
}

type Condition = Pick<RobotState, 'state' | 'connected' | 'reason' | 'action' | 'command' | 'simulation'>;

/** The robot's state for people. */
export function stateOf(
  backend: Pick<RobotBackend, 'kind' | 'standIn' | 'connection' | 'motors'>,
  drive: Pick<JointDrive, 'motion' | 'isGuided' | 'ownMove' | 'pose'>,
  phase: Phase,
  notWoken: NotWoken | null,
): RobotState {
  return {
    ...conditionOf(backend, phase, notWoken),
    backend: backend.kind,
    torque: backend.motors.every(({ torque }) => torque),
    motion: drive.motion?.plan.name ?? (drive.isGuided ? 'moved by hand' : null),
    move: drive.ownMove,
    atDefault: largestDifference(drive.pose.joints, defaultJoints) <= AT_POSTURE_RAD,
  };
}

/** A lost connection first, then motor faults, then the phase, and why it did not wake up. */
function conditionOf(
  { kind, standIn, connection, motors }: Pick<RobotBackend, 'kind' | 'standIn' | 'connection' | 'motors'>,
  phase: Phase,
  notWoken: NotWoken | null,
): Condition {
  const simulation = kind === 'lite' ? null : (standIn?.why ?? 'chosen');
  const { action, command } = standIn ?? { action: null, command: null };
  return { action, command, ...problemOf({ connection, motors }, phase, notWoken), simulation };
}

type Problem = Omit<Condition, 'simulation' | 'action' | 'command'> & Partial<Pick<Condition, 'action' | 'command'>>;

function problemOf(
  { connection, motors }: Pick<RobotBackend, 'connection' | 'motors'>,
  phase: Phase,
  notWoken: NotWoken | null,
): Problem {
  if (connection.state !== 'ready') return lostCondition(connection);
  const faulty = motors.filter(({ faults }) => faults.some((fault) => fault !== 'input-voltage')); // a voltage fault does not shut a motor down
  if (faulty.length > 0) return faultCondition(faulty);
  return { state: phase, connected: true, reason: null, ...notWoken };
}

function lostCondition({ state, reason, action, command }: Exclude<Connection, { state: 'ready' }>): Problem {
  return { state, connected: false, reason, action, command };
}

const faultTexts: Readonly<Record<MotorFault, string>> = {
  'input-voltage': 'voltage out of range',
  overheating: 'overheated',
  'electrical-shock': 'overcurrent',
  overload: 'overloaded',
};

function faultCondition(faulty: readonly Motor[]): Problem {
  const each = faulty.map(({ name, faults }) => `${name} (${faults.map((fault) => faultTexts[fault]).join(', ')})`);
  const hot = faulty.some(({ faults }) => faults.includes('overheating'));
  return {
    state: 'error',
    connected: true,
    reason: `A motor has shut down: ${each.join('; ')}.`,
    action: hot
      ? 'Let the robot cool down for a few minutes, then wake it.'
      : 'Make sure that nothing blocks the robot, then wake it.',
    command: null,
  };
}
