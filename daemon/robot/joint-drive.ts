import type { Clamp, InterpolationMethod, MotorName, RobotJoints, RobotPose } from '../contract/robot/robot.ts';
import { MotionUnderWay, TargetUnreachable } from './errors.ts';
import { nextCommand, pinned } from './joint-command.ts';
import { type Posture, sleepPosture } from './kinematics/geometry.ts';
import { clamped } from './kinematics/limits.ts';
import { assembledPose, forwardKinematics } from './kinematics/stewart.ts';
import { type BegunMotion, Motion, type MotionOptions } from './motion.ts';
import { largestDifference, motorNames } from './motors.ts';
import { calmDurationS, changedPosture, jointsOf, type PostureChange, postureOf, withinRanges } from './posture.ts';
import type { RobotBackend } from './robot-backend.ts';
import { TorqueSwitch } from './torque-switch.ts';

/** What counts as having arrived, for each joint: a servo without an integral term stops short under load. */
const ARRIVED_RAD = 0.05;

/** Folded and limp there is nothing to lead: often enough for a touch, and an idle computer stays cool. */
const FOLDED_PAUSE_S = 0.1;
/** Standing still for a while, every other turn will do. */
const STILL_PAUSE_S = 0.04;
const STILL_FOR_S = 1;

/**
 * Leads the joints to a target or along a motion, turn by turn. Everything that reaches the backend goes through `turn`,
 * one thing after the other: no two commands can fight, and none can come between a motor's pinning and its torque.
 */
export class JointDrive {
  readonly #backend: RobotBackend;
  readonly torque: TorqueSwitch;
  #target: Posture = sleepPosture;
  /** What the joints were told last; a target is approached from here at no more than the greatest speed. */
  #command: RobotJoints;
  #motion: Motion | null = null;
  #pose: RobotPose;
  #nowS = 0;
  /** Since the last exchange. */
  #unmeasuredS = 0;
  /** Since the joints were told something new. */
  #stillS = 0;

  constructor(backend: RobotBackend) {
    this.#backend = backend;
    this.torque = new TorqueSwitch(backend, (motors) => this.#pin(motors));
    this.#command = backend.measured;
    this.#pose = { joints: this.#command, head: sleepPosture.head, speedLimited: false, timeS: 0 };
  }

  get pose(): RobotPose {
    return this.#pose;
  }

  get motion(): Motion | null {
    return this.#motion;
  }

  get target(): Posture {
    return this.#target;
  }

  /** Whether the joints were last told to be there, and nothing moves them. */
  isTold(joints: RobotJoints): boolean {
    return this.#motion === null && largestDifference(this.#command, joints) === 0;
  }

  /** Begins a motion at a calm speed, within limits of time; replaces the one under way. */
  beginCalm(name: string, to: Posture, { minS, maxS }: { readonly minS: number; readonly maxS: number }): Motion {
    return this.#begin(name, to, clamped(calmDurationS(this.#target, to), minS, maxS), 'minjerk', true);
  }

  /** A motion to where a wish leads. @throws TargetUnreachable; MotionUnderWay where it is not to replace another one */
  goto(change: PostureChange, { durationS, method, ifBusy }: MotionOptions): BegunMotion {
    if (this.#motion && ifBusy === 'refuse') throw new MotionUnderWay(this.#motion.plan.name);
    const { posture, clamped } = this.#reachable(change);
    return { clamped, ended: this.#begin('moving', posture, durationS, method, false).ended };
  }

  /** Goes to where a wish leads as fast as the joints may; replaces a motion under way. @throws TargetUnreachable */
  setTarget(change: PostureChange): readonly Clamp[] {
    const { posture, clamped } = this.#reachable(change);
    this.follow(posture);
    return clamped;
  }

  /** Goes to a posture as fast as the joints may; replaces a motion under way. */
  follow(posture: Posture): void {
    this.#motion?.end('replaced');
    this.#motion = null;
    this.#target = posture;
  }

  /** Ends any motion, and stays where the joints were told to be last. */
  hold(): void {
    this.#motion?.end('stopped');
    this.#motion = null;
    this.#aimAt(this.#command);
  }

  /** The robot was lost: its motion ends with that. */
  lose(error: Error): void {
    this.#motion?.fail(error);
    this.#motion = null;
  }

  /** The robot is there (again), wherever it is: from here its joints are led. */
  adopt(): void {
    const { measured } = this.#backend;
    const { stewart, bodyYaw } = measured;
    this.#command = measured;
    this.#pose = { ...this.#pose, joints: measured, head: assembledPose(stewart, bodyYaw) ?? this.#pose.head };
    this.#aimAt(measured);
  }

  /**
   * One turn: leads the joints on by `elapsedS`, and measures them. What is new goes out at once; while nothing is, they are
   * asked less often, and least while the robot lies folded.
   */
  async turn(nowS: number, elapsedS: number, { isFolded }: { readonly isFolded: boolean }): Promise<void> {
    this.#nowS = nowS;
    await this.torque.carryOut();
    const posture = this.#motion && withinRanges(this.#motion.postureAt(nowS));
    // A straight way between two reachable poses may leave the workspace: there the target waits at its edge.
    if (posture && jointsOf(posture)) this.#target = posture;
    const { command, speedLimited } = nextCommand(this.#command, this.#wanted(), elapsedS);
    const isStill = this.#motion === null && largestDifference(command, this.#command) === 0;
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
    if (this.#motion?.isOver(nowS, this.#hasArrived(this.#motion))) {
      this.#motion.end('done');
      this.#motion = null;
    }
  }

  /** Ends what is still under way; no turn follows. */
  async close(error: Error): Promise<void> {
    this.lose(error);
    await this.torque.refuse(error);
  }

  /** Begins a motion from where the joints are led to now; replaces the one under way. */
  #begin(name: string, to: Posture, durationS: number, method: InterpolationMethod, settle: boolean): Motion {
    this.#motion?.end('replaced');
    this.#motion = new Motion({ name, from: this.#target, to, startS: this.#nowS, durationS, method, settle });
    return this.#motion;
  }

  #reachable(change: PostureChange): { readonly posture: Posture; readonly clamped: readonly Clamp[] } {
    const result = changedPosture(this.#target, change);
    if (!result.reachable) throw new TargetUnreachable(result.why);
    return result;
  }

  /** How long the joints may go unasked. */
  #pauseS(isFolded: boolean): number {
    if (this.#stillS === 0) return 0;
    if (isFolded) return FOLDED_PAUSE_S;
    return this.#stillS < STILL_FOR_S ? 0 : STILL_PAUSE_S - 0.005; // a turn may come a little early
  }

  /** A head that was left where it cannot go by itself stays; the antennas are free. */
  #wanted(): RobotJoints {
    return jointsOf(this.#target) ?? { ...this.#command, antennas: [...this.#target.antennas] };
  }

  #pin(motors: readonly MotorName[]): void {
    const { measured } = this.#backend;
    this.#command = pinned(this.#command, measured, (index) => motors.includes(motorNames[index] as MotorName));
    this.#stillS = 0;
    this.hold();
  }

  #aimAt(joints: RobotJoints): void {
    this.#target = postureOf(joints, forwardKinematics(joints.stewart, joints.bodyYaw, this.#pose.head));
  }

  #measure(nowS: number, speedLimited: boolean): void {
    const joints = this.#backend.measured;
    const moved = largestDifference(joints, this.#pose.joints) > 0;
    const head = moved ? forwardKinematics(joints.stewart, joints.bodyYaw, this.#pose.head) : this.#pose.head;
    this.#pose = { joints, head, speedLimited, timeS: nowS };
  }

  #hasArrived({ plan }: Motion): boolean {
    const goal = jointsOf(plan.to);
    return goal !== null && largestDifference(this.#pose.joints, goal) <= ARRIVED_RAD;
  }
}
