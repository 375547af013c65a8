import { problemText } from '../contract/robot/problem-text.ts';
import type { Motor, MotorFault, RobotState } from '../contract/robot/robot.ts';
import { EventBus } from '../shared/async/event-bus.ts';
import { RobotUnavailable } from './errors.ts';
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

/** The robot's state for people. */
export function stateOf(
  backend: Pick<RobotBackend, 'kind' | 'standIn' | 'connection' | 'motors'>,
  drive: Pick<JointDrive, 'motions' | 'isGuided' | 'pose'>,
  phase: Phase,
  notWoken: NotWoken | null,
): RobotState {
  const { kind, standIn, motors } = backend;
  const { action, command } = standIn ?? { action: null, command: null };
  return {
    ...{ action, command, ...conditionOf(backend, phase, notWoken) },
    simulation: kind === 'lite' ? null : (standIn?.why ?? 'chosen'),
    backend: kind,
    torque: motors.every(({ torque }) => torque),
    motion: drive.motions.first?.plan.name ?? (drive.isGuided ? 'moved by hand' : null),
    move: drive.motions.ownMove,
    atDefault: largestDifference(drive.pose.joints, defaultJoints) <= AT_POSTURE_RAD,
  };
}

type Condition = Pick<RobotState, 'state' | 'connected' | 'reason'> & Partial<Pick<RobotState, 'action' | 'command'>>;

/** A lost connection first, then motor faults, then the phase, and why it did not wake up. */
function conditionOf(
  { connection, motors }: Pick<RobotBackend, 'connection' | 'motors'>,
  phase: Phase,
  notWoken: NotWoken | null,
): Condition {
  if (connection.state !== 'ready') {
    const { state, reason, action, command } = connection;
    return { state, connected: false, reason, action, command };
  }
  const faulty = motors.filter(({ faults }) => faults.some((fault) => fault !== 'input-voltage')); // a voltage fault does not shut a motor down
  if (faulty.length > 0) return faultCondition(faulty);
  return { state: phase, connected: true, reason: null, ...notWoken };
}

const faultTexts: Readonly<Record<MotorFault, string>> = {
  'input-voltage': 'voltage out of range',
  overheating: 'overheated',
  'electrical-shock': 'overcurrent',
  overload: 'overloaded',
};

function faultCondition(faulty: readonly Motor[]): Condition {
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

interface RobotReadinessDeps {
  readonly backend: Pick<RobotBackend, 'connection'>;
  readonly drive: Pick<JointDrive, 'torque' | 'isGuided'>;
  readonly state: () => RobotState;
}

/** Refuses the commands that the robot cannot follow now, with the reason. */
export class RobotReadiness {
  readonly #deps: RobotReadinessDeps;
  readonly #connections = new EventBus<Connection>();
  #isParking = false;

  constructor(deps: RobotReadinessDeps) {
    this.#deps = deps;
  }

  /** Whether every command is refused, since the daemon is stopping. */
  get isParking(): boolean {
    return this.#isParking;
  }

  /** Refuses every command from now on. */
  park(): void {
    this.#isParking = true;
  }

  connectionChanged(connection: Connection): void {
    this.#connections.publish(connection);
  }

  /** Waits while the robot is connecting. @throws RobotUnavailable when it is not connected and not connecting */
  async connected(): Promise<void> {
    for (;;) {
      const { connection } = this.#deps.backend;
      if (connection.state === 'ready' || !connection.comingUp) break;
      await this.#connections.next();
    }
    this.requireConnection();
  }

  /** @throws RobotUnavailable unless it is connected */
  requireConnection(): void {
    const { backend, state } = this.#deps;
    if (this.#isParking) throw new RobotUnavailable('The daemon is stopping.');
    if (backend.connection.state !== 'ready') throw new RobotUnavailable(unavailableReason(state()));
  }

  /** @throws RobotUnavailable unless it is awake, with torque on a motor */
  requireAwake(): void {
    const { drive, state } = this.#deps;
    this.requireConnection();
    if (state().state !== 'awake') throw new RobotUnavailable(unavailableReason(state()));
    if (!drive.torque.someHold) throw new RobotUnavailable('The motors are switched off. Switch them on first.');
  }

  /** @throws RobotUnavailable unless it is awake, and not moved by hand */
  requireUnguided(): void {
    this.requireAwake();
    if (this.#deps.drive.isGuided)
      throw new RobotUnavailable('The robot is moved by hand. Switch gravity compensation off first.');
  }

  /** @throws RobotUnavailable unless it is awake, with torque on every motor */
  requireAllTorque(): void {
    this.requireAwake();
    if (!this.#deps.drive.torque.allHold)
      throw new RobotUnavailable('Some motors are switched off. Switch them on first.');
  }

  /** @throws RobotUnavailable while it wakes up or goes to sleep */
  requireSettled({ current, isUnderWay }: { readonly current: Phase; readonly isUnderWay: boolean }): void {
    if (isUnderWay) throw new RobotUnavailable(`The robot is ${phaseText(current)}. Wait until it has finished.`);
  }
}
