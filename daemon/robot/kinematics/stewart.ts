import type { PoseMatrix } from '../../contract/robot/robot.ts';
import { HEAD_HEIGHT_M, type Leg, legs, MOTOR_ARM_M, ROD_M } from './geometry.ts';
import { stewartRanges } from './limits.ts';
import { at, cross, orthonormalised, poseFrom, turnedAboutZ, wrapped } from './pose.ts';

/** Six motor angles, or the reason why the pose has none. */
export type InverseResult =
  | { readonly reachable: true; readonly stewartRad: readonly number[] }
  | { readonly reachable: false; readonly leg: number; readonly why: 'too-far' | 'joint-limit' }
  /** The head is turned further against the body than the rods allow. */
  | { readonly reachable: false; readonly why: 'turned-too-far' };

/**
 * The motor angles that hold the head in a pose.
 *
 * Per leg, in the motor's frame, the arm's tip moves on the circle r (cos q, sin q, 0) and the rod asks
 * |tip − P| = L for the anchor P, hence Px cos q + Py sin q = (|P|² + r² − L²) / 2r.
 * @param bodyYawRad yaw of the body and the platform's foot
 */
export function inverseKinematics(head: PoseMatrix, bodyYawRad: number): InverseResult {
  const pose = turnedAboutZ(head, -bodyYawRad);
  const stewartRad: number[] = [];
  for (const [index, leg] of legs.entries()) {
    const [x, y, z] = anchorInMotorFrame(leg, pose);
    const reach = Math.hypot(x, y);
    const wanted = (x * x + y * y + z * z + MOTOR_ARM_M ** 2 - ROD_M ** 2) / (2 * MOTOR_ARM_M);
    if (!(Math.abs(wanted) <= reach)) return { reachable: false, leg: index, why: 'too-far' };
    const angle = wrapped(Math.atan2(y, x) + leg.branch * Math.acos(wanted / reach));
    const range = stewartRanges[index];
    if (!range || !(angle >= range.minRad && angle <= range.maxRad)) {
      return { reachable: false, leg: index, why: 'joint-limit' };
    }
    stewartRad.push(angle);
  }
  return { reachable: true, stewartRad };
}

const MAX_STEPS = 20;
const MAX_HALVINGS = 16;
/** Limit of floating-point precision. Below `ASSEMBLED_M` a step that improves nothing is rounding. */
const RESIDUAL_M = 1e-15;
const ASSEMBLED_M = 1e-12;

/**
 * The pose in which six motor angles hold the head, on the branch of a pose nearby: Newton steps on the errors of the
 * six rod lengths, halved while they do not improve.
 * @param seed the pose a moment ago; it decides between the several ways a platform can be assembled
 */
export function forwardKinematics(stewartRad: readonly number[], bodyYawRad: number, seed: PoseMatrix): PoseMatrix {
  const near = turnedAboutZ(orthonormalised(seed), -bodyYawRad);
  return turnedAboutZ(assembled(near, armTips(stewartRad)).pose, bodyYawRad);
}

/**
 * The pose of the head for six motor angles, without a pose nearby: of the several ways a platform can be assembled,
 * the one in which each leg has its arm position, so that `inverseKinematics` returns the same angles.
 * @returns null when there is none
 */
export function assembledPose(stewartRad: readonly number[], bodyYawRad: number): PoseMatrix | null {
  const tips = armTips(stewartRad);
  for (const seed of assemblySeeds) {
    const { pose, errorM } = assembled(seed, tips);
    if (errorM < ASSEMBLED_M && standsAsBuilt(pose, stewartRad)) return turnedAboutZ(pose, bodyYawRad);
  }
  return null;
}

/**
 * Seeds, neutral first, then across the workspace. From one of them Newton's method found every pose that was tried.
 */
const assemblySeeds: readonly PoseMatrix[] = [0, 0.03, -0.03].flatMap((zM) =>
  [0, 0.7, -0.7].flatMap((yawRad) =>
    [0, 0.5, -0.5].flatMap((pitchRad) =>
      [0, 0.5, -0.5].map((rollRad) => poseFrom({ rollRad, pitchRad, yawRad }, [0, 0, zM])),
    ),
  ),
);

function standsAsBuilt(pose: PoseMatrix, stewartRad: readonly number[]): boolean {
  return legs.every((leg, index) => {
    const [x, y] = anchorInMotorFrame(leg, pose);
    return wrapped(at(stewartRad, index) - Math.atan2(y, x)) * leg.branch >= 0;
  });
}

function armTips(stewartRad: readonly number[]): Vector[] {
  return legs.map((leg, index) => armTipInWorld(leg, at(stewartRad, index)));
}

function assembled(seed: PoseMatrix, tips: readonly Vector[]): { pose: PoseMatrix; errorM: number } {
  let pose = seed;
  let errors = rodErrors(pose, tips);
  for (let step = 0; step < MAX_STEPS && largest(errors) > RESIDUAL_M; step++) {
    const motion = solve(rodJacobian(pose, tips), errors);
    if (!motion) break;
    const halvings = largest(errors) < ASSEMBLED_M ? 0 : MAX_HALVINGS;
    let scale = 1;
    let next = moved(pose, motion, -scale);
    let nextErrors = rodErrors(next, tips);
    for (let halving = 0; halving < halvings && !(largest(nextErrors) < largest(errors)); halving++) {
      scale /= 2;
      next = moved(pose, motion, -scale);
      nextErrors = rodErrors(next, tips);
    }
    if (!(largest(nextErrors) < largest(errors))) break;
    pose = next;
    errors = nextErrors;
  }
  return { pose, errorM: largest(errors) };
}

type Vector = readonly [number, number, number];

function anchorInWorld(leg: Leg, pose: PoseMatrix): Vector {
  const [x, y, z] = leg.anchorM;
  const row = (first: number) =>
    at(pose, first) * x + at(pose, first + 1) * y + at(pose, first + 2) * z + at(pose, first + 3);
  return [row(0), row(4), row(8) + HEAD_HEIGHT_M];
}

function anchorInMotorFrame(leg: Leg, pose: PoseMatrix): Vector {
  const [x, y, z] = anchorInWorld(leg, pose);
  const t = leg.worldToMotor;
  const row = (first: number) => at(t, first) * x + at(t, first + 1) * y + at(t, first + 2) * z + at(t, first + 3);
  return [row(0), row(4), row(8)];
}

function armTipInWorld(leg: Leg, angleRad: number): Vector {
  const t = leg.worldToMotor;
  // The inverse of a rigid transform: the transposed rotation applied to (tip − translation).
  const x = MOTOR_ARM_M * Math.cos(angleRad) - at(t, 3);
  const y = MOTOR_ARM_M * Math.sin(angleRad) - at(t, 7);
  const z = -at(t, 11);
  const column = (index: number) => at(t, index) * x + at(t, index + 4) * y + at(t, index + 8) * z;
  return [column(0), column(1), column(2)];
}

function rodErrors(pose: PoseMatrix, tips: readonly Vector[]): number[] {
  return legs.map((leg, index) => length(minus(anchorInWorld(leg, pose), tips[index] as Vector)) - ROD_M);
}

/**
 * Jacobian, a row per leg: change of its rod's length with a translation (m) and a rotation about the head's origin
 * (rad).
 */
function rodJacobian(pose: PoseMatrix, tips: readonly Vector[]): number[][] {
  const origin: Vector = [at(pose, 3), at(pose, 7), at(pose, 11) + HEAD_HEIGHT_M];
  return legs.map((leg, index) => {
    const anchor = anchorInWorld(leg, pose);
    const rod = minus(anchor, tips[index] as Vector);
    const rodLength = length(rod);
    const u: Vector = [rod[0] / rodLength, rod[1] / rodLength, rod[2] / rodLength];
    return [...u, ...cross(minus(anchor, origin), u)];
  });
}

/** A pose moved by `scale` times a translation and a rotation vector, the rotation about the head's own origin. */
function moved(pose: PoseMatrix, motion: readonly number[], scale: number): PoseMatrix {
  const [wx, wy, wz] = [at(motion, 3) * scale, at(motion, 4) * scale, at(motion, 5) * scale];
  const angle = Math.hypot(wx, wy, wz);
  const [x, y, z] = angle === 0 ? [0, 0, 0] : [wx / angle, wy / angle, wz / angle];
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const t = 1 - c;
  const turn = [
    [t * x * x + c, t * x * y - s * z, t * x * z + s * y],
    [t * x * y + s * z, t * y * y + c, t * y * z - s * x],
    [t * x * z - s * y, t * y * z + s * x, t * z * z + c],
  ];
  const result = [...pose];
  for (const [row, weights] of turn.entries()) {
    for (let column = 0; column < 3; column++) {
      result[row * 4 + column] =
        at(weights, 0) * at(pose, column) +
        at(weights, 1) * at(pose, column + 4) +
        at(weights, 2) * at(pose, column + 8);
    }
    result[row * 4 + 3] = at(pose, row * 4 + 3) + at(motion, row) * scale;
  }
  return result;
}

/** Gaussian elimination with pivots; null when the system has no single answer. */
function solve(matrix: number[][], right: readonly number[]): number[] | null {
  const rows = matrix.map((row, index) => [...row, at(right, index)]);
  const size = rows.length;
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let row = column + 1; row < size; row++) {
      if (Math.abs(cell(rows, row, column)) > Math.abs(cell(rows, pivot, column))) pivot = row;
    }
    if (Math.abs(cell(rows, pivot, column)) < 1e-12) return null;
    [rows[column], rows[pivot]] = [rows[pivot] as number[], rows[column] as number[]];
    for (let row = column + 1; row < size; row++) {
      const factor = cell(rows, row, column) / cell(rows, column, column);
      for (let k = column; k <= size; k++)
        (rows[row] as number[])[k] = cell(rows, row, k) - factor * cell(rows, column, k);
    }
  }
  const answer = new Array<number>(size).fill(0);
  for (let row = size - 1; row >= 0; row--) {
    let sum = cell(rows, row, size);
    for (let k = row + 1; k < size; k++) sum -= cell(rows, row, k) * at(answer, k);
    answer[row] = sum / cell(rows, row, row);
  }
  return answer;
}

const cell = (rows: readonly number[][], row: number, column: number) => at(rows[row] as number[], column);
const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const length = (v: Vector) => Math.hypot(v[0], v[1], v[2]);
const largest = (values: readonly number[]) => Math.max(...values.map(Math.abs));
