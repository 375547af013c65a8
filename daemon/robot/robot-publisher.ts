import type { RobotPose, RobotState } from '../contract/robot/robot.ts';
import type { Publish } from '../shared/async/event-bus.ts';
import { largestDifference } from './motors.ts';

/** At most 20 poses a second are published. */
const POSE_EVERY_S = 0.05;
/** Smallest movement of a joint to publish: more than the noise of a servo's encoder. */
const POSE_CHANGE_RAD = 0.002;
/** Smallest movement to publish after a pause, when the joints have come to rest: half of a visible one. */
const REST_CHANGE_RAD = 0.001;
const REST_EVERY_S = 0.25;

/** Publishes every change of the robot's state, and the visible changes of its pose. */
export class RobotPublisher {
  readonly #publish: Publish;
  #pose: RobotPose;
  #state: RobotState | null = null;

  constructor(publish: Publish, pose: RobotPose) {
    this.#publish = publish;
    this.#pose = pose;
  }

  pose(pose: RobotPose): void {
    const sinceS = pose.timeS - this.#pose.timeS;
    if (sinceS < POSE_EVERY_S) return;
    const least = sinceS < REST_EVERY_S ? POSE_CHANGE_RAD : REST_CHANGE_RAD;
    const moved = largestDifference(pose.joints, this.#pose.joints) > least;
    if (!moved && pose.speedLimited === this.#pose.speedLimited) return;
    this.#pose = pose;
    this.#publish({ type: 'robot.pose', pose });
  }

  state(robot: RobotState): void {
    if (this.#state && isSame(robot, this.#state)) return;
    this.#state = robot;
    this.#publish({ type: 'robot.changed', robot });
  }
}

function isSame(a: RobotState, b: RobotState): boolean {
  return (Object.keys(a) as (keyof RobotState)[]).every((part) => a[part] === b[part]);
}
