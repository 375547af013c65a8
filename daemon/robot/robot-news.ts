import type { RobotPose, RobotState } from '../contract/robot/robot.ts';
import type { Publish } from '../shared/async/event-bus.ts';
import { largestDifference } from './motors.ts';

/** At most 20 poses a second are told. */
const POSE_EVERY_S = 0.05;
/** What a joint must have moved by: more than a servo's encoder is uncertain about. */
const POSE_CHANGE_RAD = 0.002;
/** What is told a little later, when the joints have come to rest: half of what can be seen. */
const REST_CHANGE_RAD = 0.001;
const REST_EVERY_S = 0.25;

/** Tells pages what the robot does: every change of its state, and of its pose what can be seen. */
export class RobotNews {
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
