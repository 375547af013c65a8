import type { RobotPose, RobotState } from '../contract/robot.ts';
import type { Publish } from '../shared/event-bus.ts';
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
  #state = '';

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
    const text = JSON.stringify(robot);
    if (text === this.#state) return;
    this.#state = text;
    this.#publish({ type: 'robot.changed', robot });
  }
}
