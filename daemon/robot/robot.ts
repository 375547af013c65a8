import type { RobotJoints, RobotPose, RobotState, RobotStateName } from '../contract/robot.ts';
import type { InterpolationMethod } from '../contract/sdk.ts';
import type { Publish } from '../shared/event-bus.ts';
import type { Logger } from '../shared/logger.ts';
import { ControlLoop } from './control-loop.ts';
import { RobotUnavailable } from './errors.ts';
import { largestDifference, mapJoints } from './joints.ts';
import { defaultPosture, MAX_JOINT_SPEED_RAD_S, type Posture, sleepPosture } from './kinematics/geometry.ts';
import { easings, postureBetween } from './kinematics/interpolation.ts';
import { assembledPose, forwardKinematics } from './kinematics/stewart.ts';
import { calmDurationS, changedPosture, jointsOf, type PostureChange } from './posture.ts';
import type { RobotBackend } from './robot-backend.ts';

export type MotionOutcome = 'done' | 'replaced';

interface Motion {
  readonly name: string;
  readonly from: Posture;
  readonly to: Posture;
  readonly startS: number;
  readonly durationS: number;
  readonly method: InterpolationMethod;
  /** Waits until the joints have followed, not only until the last target was sent. */
  readonly settle: boolean;
  readonly end: (outcome: MotionOutcome) => void;
}

/** What counts as standing at a posture, for each joint. */
const AT_POSTURE_RAD = 0.02;
/** How long the joints may take to follow after the last target. */
const SETTLE_S = 0.5;
const POSE_EVERY_S = 0.05;
const POSE_CHANGE_RAD = 1e-4;

const defaultJoints = jointsOf(defaultPosture) as RobotJoints;
export const sleepJoints = jointsOf(sleepPosture) as RobotJoints;

/** The awake-or-asleep robot that the rest of the daemon talks to, driven at 50 Hz over a backend. */
export class Robot {
  readonly #backend: RobotBackend;
  readonly #publish: Publish;
  readonly #log: Logger;
  readonly #loop: ControlLoop;
  readonly #listeners = new Set<(pose: RobotPose) => void>();
  #state: RobotStateName = 'asleep';
  #target: Posture = sleepPosture;
  /** What the joints were told last; a target is approached from here at no more than the greatest speed. */
  #command: RobotJoints;
  #motion: Motion | null = null;
  #pose: RobotPose;
  #toldPose: RobotPose;
  #toldState = '';
  #nowS = 0;

  constructor(deps: { backend: RobotBackend; publish: Publish; log: Logger }) {
    this.#backend = deps.backend;
    this.#publish = deps.publish;
    this.#log = deps.log;
    this.#command = deps.backend.measured;
    const { stewart, bodyYaw } = deps.backend.measured;
    const head = assembledPose(stewart, bodyYaw) ?? sleepPosture.head;
    this.#pose = { joints: deps.backend.measured, head, timeS: 0 };
    this.#toldPose = this.#pose;
    this.#loop = new ControlLoop((nowS, elapsedS) => this.#tick(nowS, elapsedS), deps.log);
  }

  get state(): RobotState {
    return {
      state: this.#state,
      reason: null,
      backend: this.#backend.kind,
      torque: this.#backend.torque,
      motion: this.#motion?.name ?? null,
      atDefault: largestDifference(this.#pose.joints, defaultJoints) <= AT_POSTURE_RAD,
    };
  }

  get pose(): RobotPose {
    return this.#pose;
  }

  /** Starts the control loop; the robot is asleep. */
  start(): void {
    this.#loop.start();
  }

  /** Called after every turn of the control loop. @returns a function that ends it */
  onPose(listener: (pose: RobotPose) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Torque on, then to the default position. One that is awake already only goes there. */
  async wakeUp(): Promise<void> {
    if (this.#state === 'asleep' || this.#state === 'going-to-sleep') {
      await this.#torqueOn();
      this.#setState('waking');
    }
    const outcome = await this.#moveTo('waking up', defaultPosture, { minS: 0.3, maxS: 1.5 });
    if (outcome === 'done' && this.#state === 'waking') this.#setState('awake');
  }

  /** Folds to the sleep position, then cuts torque. */
  async sleep(): Promise<void> {
    if (this.#state === 'asleep') return;
    this.#setState('going-to-sleep');
    if ((await this.#moveTo('going to sleep', sleepPosture, { minS: 0.3, maxS: 1.5 })) === 'replaced') return;
    await this.#backend.setTorque(false);
    this.#setState('asleep');
  }

  /** To the default position, awake and with torque, wherever it is and whatever it does. */
  async returnToDefault(): Promise<void> {
    if (this.#state !== 'awake') return this.wakeUp();
    const told = this.#motion === null && largestDifference(this.#command, defaultJoints) === 0;
    if (told && this.state.atDefault) {
      this.#target = defaultPosture; // a target that no turn of the loop has followed yet is forgotten
      return;
    }
    await this.#moveTo('returning to default', defaultPosture, { minS: 0.1, maxS: 1 });
  }

  /**
   * Moves to a posture in a given time; replaces any motion under way.
   * @throws TargetUnreachable, RobotUnavailable
   */
  goto(change: PostureChange, durationS: number, method: InterpolationMethod): Promise<MotionOutcome> {
    this.#requireAwake();
    return this.#begin('moving', changedPosture(this.#target, change), durationS, method, false);
  }

  /**
   * Goes to a posture as fast as the joints allow; replaces any motion under way. For streams of targets.
   * @throws TargetUnreachable, RobotUnavailable
   */
  setTarget(change: PostureChange): void {
    this.#requireAwake();
    const target = changedPosture(this.#target, change);
    this.#endMotion('replaced');
    this.#target = target;
  }

  /** Ends the control loop where the robot stands. */
  async close(): Promise<void> {
    await this.#loop.stop();
    this.#endMotion('replaced');
    await this.#backend.close();
  }

  #requireAwake(): void {
    if (this.#state !== 'awake')
      throw new RobotUnavailable(`The robot is ${this.#state.replaceAll('-', ' ')}. Wake it first.`);
  }

  /** Pins the targets to the measured pose first, so that nothing snaps. */
  async #torqueOn(): Promise<void> {
    this.#command = this.#backend.measured;
    this.#target = postureOf(this.#pose);
    await this.#backend.setTorque(true);
  }

  #moveTo(name: string, to: Posture, { minS, maxS }: { minS: number; maxS: number }): Promise<MotionOutcome> {
    const durationS = Math.min(maxS, Math.max(minS, calmDurationS(this.#target, to)));
    return this.#begin(name, to, durationS, 'minjerk', true);
  }

  #begin(name: string, to: Posture, durationS: number, method: InterpolationMethod, settle: boolean) {
    this.#endMotion('replaced');
    return new Promise<MotionOutcome>((end) => {
      this.#motion = { name, from: this.#target, to, startS: this.#nowS, durationS, method, settle, end };
      this.#tellState();
    });
  }

  #endMotion(outcome: MotionOutcome): void {
    const motion = this.#motion;
    if (!motion) return;
    this.#motion = null;
    motion.end(outcome);
  }

  async #tick(nowS: number, elapsedS: number): Promise<void> {
    this.#nowS = nowS;
    if (this.#motion) this.#advance(this.#motion, nowS);
    const wanted = jointsOf(this.#target);
    if (wanted) {
      const furthest = MAX_JOINT_SPEED_RAD_S * elapsedS;
      this.#command = mapJoints(
        this.#command,
        wanted,
        (from, to) => from + Math.min(furthest, Math.max(-furthest, to - from)),
      );
    }
    await this.#backend.exchange(this.#command, elapsedS);
    this.#measure(nowS);
    if (this.#motion) this.#finishMotion(this.#motion, nowS);
    this.#tell();
  }

  #advance(motion: Motion, nowS: number): void {
    const time = Math.min(1, (nowS - motion.startS) / motion.durationS);
    const posture = time < 1 ? postureBetween(motion.from, motion.to, easings[motion.method](time)) : motion.to;
    // A straight way between two reachable poses may leave the workspace: there the target waits at its edge.
    if (jointsOf(posture)) this.#target = posture;
  }

  #finishMotion(motion: Motion, nowS: number): void {
    const overS = nowS - motion.startS - motion.durationS;
    if (overS < 0) return;
    const goal = jointsOf(motion.to);
    const there = goal !== null && largestDifference(this.#pose.joints, goal) <= AT_POSTURE_RAD;
    if (!motion.settle || there || overS > SETTLE_S) this.#endMotion('done');
  }

  #measure(nowS: number): void {
    const joints = this.#backend.measured;
    const moved = largestDifference(joints, this.#pose.joints) > 0;
    const head = moved ? forwardKinematics(joints.stewart, joints.bodyYaw, this.#pose.head) : this.#pose.head;
    this.#pose = { joints, head, timeS: nowS };
    for (const listener of this.#listeners) listener(this.#pose);
  }

  #tell(): void {
    const { timeS, joints } = this.#pose;
    const due = timeS - this.#toldPose.timeS >= POSE_EVERY_S;
    if (due && largestDifference(joints, this.#toldPose.joints) > POSE_CHANGE_RAD) {
      this.#toldPose = this.#pose;
      this.#publish({ type: 'robot.pose', pose: this.#pose });
    }
    this.#tellState();
  }

  #setState(state: RobotStateName): void {
    this.#state = state;
    this.#log.info(`robot: ${state}`);
    this.#tellState();
  }

  #tellState(): void {
    const robot = this.state;
    const text = JSON.stringify(robot);
    if (text === this.#toldState) return;
    this.#toldState = text;
    this.#publish({ type: 'robot.changed', robot });
  }
}

function postureOf({ joints, head }: RobotPose): Posture {
  return { head, antennas: [joints.antennas[0] ?? 0, joints.antennas[1] ?? 0], bodyYawRad: joints.bodyYaw };
}
