import type { MotorName, RobotJoints, RobotPose } from '../contract/robot/robot.ts';
import { type Posture, sleepPosture } from './kinematics/geometry.ts';
import { clamped, MAX_JOINT_SPEED_RAD_S } from './kinematics/limits.ts';
import { assembledPose, forwardKinematics } from './kinematics/stewart.ts';
import type { Motion, StartedMotion } from './motions/motion.ts';
import { type GotoOptions, Motions, type PlayOptions, type TargetResult } from './motions/motions.ts';
import { calmDurationS, type PostureChange, postureOf } from './motions/posture.ts';
import type { RecordedMove } from './motions/recorded-move.ts';
import { joined, jointsFrom, largestDifference, motorNames } from './motors.ts';
import type { RobotBackend } from './robot-backend.ts';
import { TorqueSwitch } from './torque-switch.ts';

/** Longest step of a late tick of the control loop; the remaining way takes longer. */
const LONGEST_STEP_S = 0.04;

/**
 * The next command on the way to the wanted joints. No joint moves faster than 8 rad/s, however far a target jumps.
 * `speedLimited`: one would have had to.
 */
function nextCommand(command: RobotJoints, wanted: RobotJoints, elapsedS: number) {
  const most = MAX_JOINT_SPEED_RAD_S * Math.min(elapsedS, LONGEST_STEP_S);
  const goals = joined(wanted);
  let speedLimited = false;
  const angles = joined(command).map((from, index) => {
    const away = (goals[index] ?? from) - from;
    speedLimited ||= Math.abs(away) > most;
    return from + clamped(away, -most, most);
  });
  return { command: jointsFrom(angles), speedLimited };
}

/**
 * How far a joint gives way to a hand before its command follows. Above the error of a servo that holds the head's
 * weight without an integral term, so that the head does not sink.
 */
const GIVE_RAD = 0.06;

/** The command for joints that a hand guides: each stays until it is pushed away, then follows, and stays where it is left. */
function guidedCommand(command: RobotJoints, measured: RobotJoints): RobotJoints {
  const angles = joined(measured);
  return jointsFrom(
    joined(command).map((from, index) => {
      const at = angles[index] ?? from;
      return clamped(from, at - GIVE_RAD, at + GIVE_RAD);
    }),
  );
}

/** The command with the measured angle for some joints, chosen by their index on the bus. */
function pinned(command: RobotJoints, measured: RobotJoints, isPinned: (index: number) => boolean): RobotJoints {
  const angles = joined(measured);
  return jointsFrom(joined(command).map((angle, index) => (isPinned(index) ? (angles[index] ?? angle) : angle)));
}

/** Tolerance for having arrived, per joint: a servo without an integral term stops short under load. */
const ARRIVED_RAD = 0.05;

/** Time between measurements of the folded, limp robot: short enough to notice a touch, at little load. */
const FOLDED_PAUSE_S = 0.1;
/** Time between measurements after standing still for a while: every other tick. */
const STILL_PAUSE_S = 0.04;
const STILL_FOR_S = 1;

/**
 * Moves the joints to a target or along motions, tick by tick. Everything that reaches the backend goes through
 * `tick`, one call after the other, so that no command can come between setting a motor's goal and switching its torque
 * on.
 */
export class JointDrive {
  readonly #backend: RobotBackend;
  readonly torque: TorqueSwitch;
  /** For reading and its settings; motions begin here, which takes the joints over from a hand. */
  readonly motions = new Motions();
  /** The last command; a target is approached from here at no more than the maximum speed. */
  #command: RobotJoints;
  #pose: RobotPose;
  #nowS = 0;
  /** Time since the last exchange. */
  #unmeasuredS = 0;
  /** Time since the last new command. */
  #stillS = 0;
  #isGuided = false;

  constructor(backend: RobotBackend) {
    this.#backend = backend;
    this.torque = new TorqueSwitch(backend, (motors) => this.#pin(motors));
    this.#command = backend.measured;
    this.#pose = { joints: this.#command, head: sleepPosture.head, speedLimited: false, timeS: 0 };
  }

  get pose(): RobotPose {
    return this.#pose;
  }

  /** Whether the joints follow a hand, see `guidedCommand`. The next motion ends it. */
  get isGuided(): boolean {
    return this.#isGuided;
  }

  guide(): void {
    this.hold();
    this.#isGuided = true;
  }

  /** Whether these joints are the last command and no motion is running. */
  isCommanded(joints: RobotJoints): boolean {
    return this.motions.first === null && largestDifference(this.#command, joints) === 0;
  }

  /** Begins a motion of all parts at a calm speed, within time limits; replaces the running ones. */
  beginCalm(name: string, to: Posture, { minS, maxS }: { readonly minS: number; readonly maxS: number }): Motion {
    this.#takeOver();
    const durationS = clamped(calmDurationS(this.motions.target.posture, to), minS, maxS);
    return this.motions.begin(name, to, { nowS: this.#nowS, durationS });
  }

  /**
   * Moves the parts that a change names, and takes them from the motions that own them.
   * @throws TargetUnreachable; MotionUnderWay when it must not take a part that a motion owns
   */
  goto(change: PostureChange, options: GotoOptions): StartedMotion {
    this.#takeOver();
    return this.motions.goto(change, this.#nowS, options);
  }

  /**
   * Plays a recorded move, and takes its parts from the motions that own them.
   * @throws MotionUnderWay when it must not take a part that a motion owns
   */
  play(move: RecordedMove, options: PlayOptions): StartedMotion {
    this.#takeOver();
    return this.motions.play(move, this.#nowS, options);
  }

  /** Moves the parts that no motion owns as fast as the joints may. @throws TargetUnreachable */
  setTarget(change: PostureChange): TargetResult {
    return this.motions.setTarget(change, this.#nowS);
  }

  /** Goes to a posture as fast as the joints may; replaces the running motions. */
  follow(posture: Posture): void {
    this.#isGuided = false;
    this.motions.replaceBy(posture, 'replaced');
  }

  /** Ends the running motions, and stays at the last command. */
  hold(): void {
    this.#isGuided = false;
    this.motions.replaceBy(this.#postureOf(this.#command), 'stopped');
  }

  /** Fails the running motions because the robot was lost. */
  lose(error: Error): void {
    this.motions.fail(error);
  }

  /** Starts from the measured position after the robot has connected. */
  adopt(): void {
    const { measured } = this.#backend;
    const { stewart, bodyYaw } = measured;
    this.#isGuided = false;
    this.#command = measured;
    this.#pose = { ...this.#pose, joints: measured, head: assembledPose(stewart, bodyYaw) ?? this.#pose.head };
    this.motions.replaceBy(this.#postureOf(measured), 'replaced');
  }

  /**
   * One tick: moves the joints on by `elapsedS` and measures them. A new command is sent at once; without one the
   * joints are measured less often, and least often while the robot is folded.
   */
  async tick(nowS: number, elapsedS: number, { isFolded }: { readonly isFolded: boolean }): Promise<void> {
    this.#nowS = nowS;
    await this.torque.apply();
    this.motions.advance(nowS);
    const { command, speedLimited } = nextCommand(this.#command, this.#wanted(), elapsedS);
    const isStill = this.motions.first === null && largestDifference(command, this.#command) === 0;
    this.#stillS = isStill ? this.#stillS + elapsedS : 0;
    this.#unmeasuredS += elapsedS;
    this.#command = command;
    if (this.#unmeasuredS < this.#pauseS(isFolded)) {
      this.#pose = { ...this.#pose, timeS: nowS };
      return;
    }
    await this.#backend.exchange(command, this.#unmeasuredS);
    this.#unmeasuredS = 0;
    this.#measure(nowS, speedLimited);
    this.motions.endOver(nowS, () => this.#hasArrived());
  }

  /** Fails the running motions and pending torque switches; no tick follows. */
  async close(error: Error): Promise<void> {
    this.lose(error);
    await this.torque.refuse(error);
  }

  #wanted(): RobotJoints {
    if (this.#isGuided) return guidedCommand(this.#command, this.#backend.measured);
    return this.motions.target.joints(this.#command);
  }

  /** Takes the joints over from a hand, where they are. */
  #takeOver(): void {
    if (this.#isGuided) this.hold();
  }

  /** Time until the joints must be measured again. */
  #pauseS(isFolded: boolean): number {
    if (this.#stillS === 0) return 0;
    if (isFolded) return FOLDED_PAUSE_S;
    return this.#stillS < STILL_FOR_S ? 0 : STILL_PAUSE_S - 0.005; // a tick may come a little early
  }

  #pin(motors: readonly MotorName[]): void {
    const { measured } = this.#backend;
    this.#command = pinned(this.#command, measured, (index) => motors.includes(motorNames[index] as MotorName));
    this.#stillS = 0;
    this.hold();
  }

  #postureOf(joints: RobotJoints): Posture {
    return postureOf(joints, forwardKinematics(joints.stewart, joints.bodyYaw, this.#pose.head));
  }

  #measure(nowS: number, speedLimited: boolean): void {
    const joints = this.#backend.measured;
    const moved = largestDifference(joints, this.#pose.joints) > 0;
    const head = moved ? forwardKinematics(joints.stewart, joints.bodyYaw, this.#pose.head) : this.#pose.head;
    this.#pose = { joints, head, speedLimited, timeS: nowS };
  }

  #hasArrived(): boolean {
    return largestDifference(this.#pose.joints, this.motions.target.joints(this.#command)) <= ARRIVED_RAD;
  }
}
