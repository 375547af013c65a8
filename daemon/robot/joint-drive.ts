import type { Clamp, InterpolationMethod, MotorName, RobotJoints, RobotPose } from '../contract/robot/robot.ts';
import { MotionUnderWay, TargetUnreachable } from './errors.ts';
import { nextCommand, pinned } from './joint-command.ts';
import { type Posture, sleepPosture } from './kinematics/geometry.ts';
import { clamped } from './kinematics/limits.ts';
import { assembledPose, forwardKinematics } from './kinematics/stewart.ts';
import { Motion, type MotionOptions, type StartedMotion } from './motion.ts';
import { largestDifference, motorNames } from './motors.ts';
import { calmDurationS, changedPosture, jointsOf, type PostureChange, postureOf, withinRanges } from './posture.ts';
import type { RobotBackend } from './robot-backend.ts';
import { TorqueSwitch } from './torque-switch.ts';

/** Tolerance for having arrived, per joint: a servo without an integral term stops short under load. */
const ARRIVED_RAD = 0.05;

/** Time between measurements of the folded, limp robot: short enough to notice a touch, at little load. */
const FOLDED_PAUSE_S = 0.1;
/** Time between measurements after standing still for a while: every other tick. */
const STILL_PAUSE_S = 0.04;
const STILL_FOR_S = 1;

/**
 * Moves the joints to a target or along a motion, tick by tick. Everything that reaches the backend goes through
 * `tick`, one call after the other, so that no command can come between setting a motor's goal and switching its torque
 * on.
 */
export class JointDrive {
  readonly #backend: RobotBackend;
  readonly torque: TorqueSwitch;
  #target: Posture = sleepPosture;
  /** The last command; a target is approached from here at no more than the maximum speed. */
  #command: RobotJoints;
  #motion: Motion | null = null;
  #pose: RobotPose;
  #nowS = 0;
  /** Time since the last exchange. */
  #unmeasuredS = 0;
  /** Time since the last new command. */
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

  /** Whether these joints are the last command and no motion is running. */
  isCommanded(joints: RobotJoints): boolean {
    return this.#motion === null && largestDifference(this.#command, joints) === 0;
  }

  /** Begins a motion at a calm speed, within time limits; replaces a running one. */
  beginCalm(name: string, to: Posture, { minS, maxS }: { readonly minS: number; readonly maxS: number }): Motion {
    return this.#begin(name, to, clamped(calmDurationS(this.#target, to), minS, maxS), 'minjerk', true);
  }

  /** Moves to a changed posture. @throws TargetUnreachable; MotionUnderWay when it must not replace a running motion */
  goto(change: PostureChange, { durationS, method, ifBusy }: MotionOptions): StartedMotion {
    if (this.#motion && ifBusy === 'refuse') throw new MotionUnderWay(this.#motion.plan.name);
    const { posture, clamped } = this.#reachable(change);
    return { clamped, ended: this.#begin('moving', posture, durationS, method, false).ended };
  }

  /** Goes to a changed posture as fast as the joints may; replaces a running motion. @throws TargetUnreachable */
  setTarget(change: PostureChange): readonly Clamp[] {
    const { posture, clamped } = this.#reachable(change);
    this.follow(posture);
    return clamped;
  }

  /** Goes to a posture as fast as the joints may; replaces a running motion. */
  follow(posture: Posture): void {
    this.#motion?.end('replaced');
    this.#motion = null;
    this.#target = posture;
  }

  /** Ends a running motion, and stays at the last command. */
  hold(): void {
    this.#motion?.end('stopped');
    this.#motion = null;
    this.#aimAt(this.#command);
  }

  /** Fails a running motion because the robot was lost. */
  lose(error: Error): void {
    this.#motion?.fail(error);
    this.#motion = null;
  }

  /** Starts from the measured position after the robot has connected. */
  adopt(): void {
    const { measured } = this.#backend;
    const { stewart, bodyYaw } = measured;
    this.#command = measured;
    this.#pose = { ...this.#pose, joints: measured, head: assembledPose(stewart, bodyYaw) ?? this.#pose.head };
    this.#aimAt(measured);
  }

  /**
   * One tick: moves the joints on by `elapsedS` and measures them. A new command is sent at once; without one the
   * joints are measured less often, and least often while the robot is folded.
   */
  async tick(nowS: number, elapsedS: number, { isFolded }: { readonly isFolded: boolean }): Promise<void> {
    this.#nowS = nowS;
    await this.torque.apply();
    const posture = this.#motion && withinRanges(this.#motion.postureAt(nowS));
    // A straight path between two reachable poses may leave the workspace; the target then waits at its edge.
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

  /** Fails the running motion and pending torque switches; no tick follows. */
  async close(error: Error): Promise<void> {
    this.lose(error);
    await this.torque.refuse(error);
  }

  /** Begins a motion from the current target; replaces a running one. */
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

  /** Time until the joints must be measured again. */
  #pauseS(isFolded: boolean): number {
    if (this.#stillS === 0) return 0;
    if (isFolded) return FOLDED_PAUSE_S;
    return this.#stillS < STILL_FOR_S ? 0 : STILL_PAUSE_S - 0.005; // a tick may come a little early
  }

  /** The joints of the target. If its head pose is unreachable, the head stays and only the antennas move. */
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
