/**
 * The dimensions of the robot, in metres and radians, from its CAD model: each motor's frame as a transform
 * from the world, and the anchor of its rod on the head's platform.
 */
import type { PoseMatrix } from '../../contract/robot/robot.ts';

export const MOTOR_ARM_M = 0.04;
export const ROD_M = 0.085;
/** Height of the neutral head's origin above the world's z = 0. */
export const HEAD_HEIGHT_M = 0.177;

export interface Leg {
  /** Row-major 4×4: world coordinates into the motor's frame. */
  readonly worldToMotor: readonly number[];
  /** Anchor of the rod on the platform, in the head's frame. */
  readonly anchorM: readonly [number, number, number];
  /** Which of the two possible arm positions this leg uses. */
  readonly branch: 1 | -1;
}

export const legs: readonly Leg[] = [
  {
    worldToMotor: [
      0.8660247915798898, -0.5000010603626028, -2.298079077119539e-6, -0.009999848080267933, 4.490195936008854e-6,
      3.1810770986818273e-6, 0.999999999984859, -0.07663346037245178, -0.500001060347722, -0.8660247915770963,
      4.999994360718464e-6, 0.03666015757925319, 0.0, 0.0, 0.0, 1.0,
    ],
    anchorM: [0.020648178337122566, 0.021763723638894568, 1.0345743467476964e-7],
    branch: -1,
  },
  {
    worldToMotor: [
      -0.8660211183436269, 0.5000074225224785, 2.298069723064582e-6, -0.01000055227585102, -4.490219645842903e-6,
      -3.181063409649239e-6, -0.999999999984859, 0.07663346037219607, -0.5000074225075973, -0.8660211183408337,
      5.00001124330122e-6, 0.03666008712637943, 0.0, 0.0, 0.0, 1.0,
    ],
    anchorM: [0.00852381571767217, 0.028763668526131346, 1.183437210727778e-7],
    branch: 1,
  },
  {
    worldToMotor: [
      6.326794896519466e-6, 0.9999999999799852, -7.0550646912150425e-12, -0.009999884140839245, -1.0196153102346142e-6,
      1.3505961633338446e-11, 0.9999999999994795, -0.07663346037438698, 0.9999999999794655, -6.326794896940104e-6,
      1.0196153098685706e-6, 0.036660683387545835, 0.0, 0.0, 0.0, 1.0,
    ],
    anchorM: [-0.029172011376922807, 0.0069999429399361995, 4.0290270064691214e-8],
    branch: -1,
  },
  {
    worldToMotor: [
      -3.673205069955933e-6, -0.9999999999932537, -6.767968877969483e-14, -0.010000000000897517, 1.0196153102837198e-6,
      -3.6775764393585005e-12, -0.9999999999994795, 0.0766334603742898, 0.9999999999927336, -3.673205070385213e-6,
      1.0196153102903487e-6, 0.03666065685180194, 0.0, 0.0, 0.0, 1.0,
    ],
    anchorM: [-0.029172040355214434, -0.0069999960097160766, -3.1608172912367394e-8],
    branch: 1,
  },
  {
    worldToMotor: [
      -0.8660284647694133, -0.4999946981757419, 2.298079429767357e-6, -0.010000231529504576, 4.490172883391843e-6,
      -3.1811099293773187e-6, 0.9999999999848591, -0.07663346037246624, -0.4999946981608617, 0.8660284647666201,
      4.999994384073154e-6, 0.03666016059492482, 0.0, 0.0, 0.0, 1.0,
    ],
    anchorM: [0.008523809101930114, -0.028763713010385224, -1.4344916837716326e-7],
    branch: -1,
  },
  {
    worldToMotor: [
      0.8660247915798897, 0.5000010603626025, -2.298069644866714e-6, -0.009999527331574583, -4.490196220318687e-6,
      3.1810964558725514e-6, -0.9999999999848591, 0.07663346037272492, -0.500001060347722, 0.8660247915770967,
      5.000011266610794e-6, 0.036660231042625266, 0.0, 0.0, 0.0, 1.0,
    ],
    anchorM: [0.020648186722822436, -0.02176369606185343, -8.957920105689965e-8],
    branch: 1,
  },
];

/** A whole posture: the head's pose, the antennas [right, left] and the body. */
export interface Posture {
  readonly head: PoseMatrix;
  /** [right, left] */
  readonly antennas: readonly [number, number];
  readonly bodyYawRad: number;
}

/** Awake and at rest; the antennas are off the vertical, at which they would shake. */
export const defaultPosture: Posture = {
  head: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
  antennas: [-0.1745, 0.1745],
  bodyYawRad: 0,
};

/** Folded: torque can be switched off without the head falling. */
export const sleepPosture: Posture = {
  head: [0.911, 0.004, 0.413, -0.021, -0.004, 1, -0.001, 0.001, -0.413, -0.001, 0.911, -0.044, 0, 0, 0, 1],
  antennas: [-3.05, 3.05],
  bodyYawRad: 0,
};
