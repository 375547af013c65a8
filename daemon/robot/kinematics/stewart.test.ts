import { describe, expect, test } from 'vitest';
import type { PoseMatrix } from '../../contract/robot/robot.ts';
import { defaultPosture, sleepPosture } from './geometry.ts';
import { angleBetween, distanceBetween, poseFrom, rollPitchYawOf } from './pose.ts';
import { assembledPose, forwardKinematics, inverseKinematics } from './stewart.ts';

const deg = Math.PI / 180;
const still = { rollRad: 0, pitchRad: 0, yawRad: 0 };

describe('golden cases, computed from the geometry by two independent formulations', () => {
  test.each([
    ['neutral', defaultPosture.head, [0.626547136, -0.626542551, 0.626540251, -0.62653618, 0.626537196, -0.626539235]],
    [
      'roll 20°',
      poseFrom({ ...still, rollRad: 20 * deg }),
      [0.803515146, -0.883053043, 0.687061281, -0.576288181, 0.419351692, -0.453684552],
    ],
    [
      'yaw 30°',
      poseFrom({ ...still, yawRad: 30 * deg }),
      [0.819144505, -0.528417452, 0.819138114, -0.528410915, 0.819135514, -0.528414117],
    ],
    ['asleep', sleepPosture.head, [-0.170623806, 0.836487731, -0.123431858, 0.08757154, -0.812168555, 0.178508447]],
  ])('%s', (_name, pose, expected) => {
    const result = inverseKinematics(pose, 0);
    if (!result.reachable) throw new Error('unreachable');
    for (const [leg, angle] of expected.entries()) expect(result.stewartRad[leg]).toBeCloseTo(angle, 6);
  });
});

test('head and body turned together need the same motor angles', () => {
  const straight = inverseKinematics(defaultPosture.head, 0);
  const turned = inverseKinematics(poseFrom({ ...still, yawRad: 1 }), 1);
  if (!straight.reachable || !turned.reachable) throw new Error('unreachable');
  for (const leg of [0, 1, 2, 3, 4, 5]) expect(turned.stewartRad[leg]).toBeCloseTo(straight.stewartRad[leg] ?? 9, 12);
});

test('an unreachable pose gives a reason, never NaN', () => {
  expect(inverseKinematics(poseFrom(still, [0, 0, 0.2]), 0)).toEqual({ reachable: false, leg: 0, why: 'too-far' });
  expect(inverseKinematics(poseFrom({ ...still, pitchRad: 80 * deg }), 0)).toMatchObject({ reachable: false });
  expect(inverseKinematics(poseFrom({ ...still, yawRad: Number.NaN }), 0)).toMatchObject({ reachable: false });
});

test('the rounding of the seed does not affect the result', () => {
  const inverse = inverseKinematics(defaultPosture.head, 0);
  if (!inverse.reachable) throw new Error('unreachable');
  const head = forwardKinematics(inverse.stewartRad, 0, sleepPosture.head);
  for (const [index, value] of defaultPosture.head.entries()) expect(head[index]).toBeCloseTo(value, 9);
});

test('forward undoes inverse all over the middle of the workspace', () => {
  let checked = 0;
  for (const rollRad of [-0.3, 0, 0.2])
    for (const pitchRad of [-0.3, 0.1, 0.3])
      for (const yawRad of [-0.5, 0, 0.4])
        for (const zM of [-0.01, 0, 0.008]) {
          const pose = poseFrom({ rollRad, pitchRad, yawRad: yawRad + 0.3 }, [0.005, -0.004, zM]);
          const inverse = inverseKinematics(pose, 0.3);
          if (!inverse.reachable) continue;
          const back = forwardKinematics(inverse.stewartRad, 0.3, defaultPosture.head);
          expect(angleBetween(back, pose)).toBeLessThan(1e-6);
          expect(distanceBetween(back, pose)).toBeLessThan(1e-8);
          checked += 1;
        }
  expect(checked).toBeGreaterThan(60);
});

/** Poses of the head that can be reached, seeded; in numbers that a unit test can afford. */
function* reachablePoses(count: number, angleRad: number, offsetM: number) {
  let state = 1;
  const within = (size: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0; // Numerical Recipes' generator
    return (state / 2 ** 31 - 1) * size;
  };
  for (let found = 0; found < count; ) {
    const angles = { rollRad: within(angleRad), pitchRad: within(angleRad), yawRad: within(angleRad) };
    const pose = poseFrom(angles, [within(offsetM), within(offsetM), within(offsetM)]);
    const inverse = inverseKinematics(pose, 0);
    if (!inverse.reachable) continue;
    found += 1;
    yield { pose, stewartRad: inverse.stewartRad };
  }
}
const POSES = Number(process.env['TORTURE_POSES'] ?? 1_000);
/** The long runs take minutes. */
const LONG_MS = 5_000 + POSES * 2;
const difference = (a: readonly number[], b: readonly number[]) =>
  Math.max(...a.map((angle, index) => Math.abs(angle - (b[index] ?? Number.NaN))));

test('within 30° and 10 mm of neutral, forward undoes inverse with neutral as the pose before', {
  timeout: LONG_MS,
}, () => {
  let worstRad = 0;
  let worstM = 0;
  for (const { pose, stewartRad } of reachablePoses(POSES, 30 * deg, 0.01)) {
    const back = forwardKinematics(stewartRad, 0, defaultPosture.head);
    worstRad = Math.max(worstRad, angleBetween(back, pose));
    worstM = Math.max(worstM, distanceBetween(back, pose));
  }
  expect(worstM).toBeLessThan(1e-9);
  expect(worstRad).toBeLessThan(1e-7); // of an angle so small, the arc cosine knows no more digits
});

test('across the workspace, inverse undoes forward without a seed', { timeout: LONG_MS }, () => {
  let worst = 0;
  for (const { stewartRad } of reachablePoses(POSES, 60 * deg, 0.04)) {
    const found = assembledPose(stewartRad, 0);
    const again = found && inverseKinematics(found, 0);
    worst = Math.max(worst, again?.reachable ? difference(again.stewartRad, stewartRad) : Number.POSITIVE_INFINITY);
  }
  expect(worst).toBeLessThan(1e-9);
});

/**
 * Where two branches meet, the angles alone do not determine the branch, and forward stays on its own. The test
 * requires that the pose never jumps and always fits the angles.
 */
test('outside that box, forward stays on its branch along a continuous path', {
  timeout: 5 * LONG_MS,
}, () => {
  let furthestRad = 0;
  for (const { pose } of reachablePoses(POSES / 20, 60 * deg, 0.04)) {
    const way = wayTo(pose);
    let before = defaultPosture.head;
    for (const { there, stewartRad } of [...way, ...way.toReversed()]) {
      const now = forwardKinematics(stewartRad, 0, before);
      expect(distanceBetween(now, before), 'a leap').toBeLessThan(0.003);
      expect(angleBetween(now, before), 'a turn').toBeLessThan(6 * deg);
      const again = inverseKinematics(now, 0);
      expect(again.reachable && difference(again.stewartRad, stewartRad)).toBeLessThan(1e-9);
      furthestRad = Math.max(furthestRad, angleBetween(there, defaultPosture.head));
      before = now;
    }
  }
  expect(furthestRad, 'out of the box').toBeGreaterThan(50 * deg);
});

/** The reachable part of the straight path from neutral to a pose, in steps of a hundredth. */
function wayTo(pose: PoseMatrix) {
  const { rollRad, pitchRad, yawRad } = rollPitchYawOf(pose);
  const [x, y, z] = [pose[3] ?? 0, pose[7] ?? 0, pose[11] ?? 0];
  const way: { there: PoseMatrix; stewartRad: readonly number[] }[] = [];
  for (let share = 0; share <= 1; share += 0.01) {
    const angles = { rollRad: rollRad * share, pitchRad: pitchRad * share, yawRad: yawRad * share };
    const there = poseFrom(angles, [x * share, y * share, z * share]);
    const inverse = inverseKinematics(there, 0);
    if (!inverse.reachable) break;
    way.push({ there, stewartRad: inverse.stewartRad });
  }
  return way;
}

test('angles that fit no assembly give no pose', () => {
  expect(assembledPose([1.3, 1.3, 1.3, 1.3, 1.3, 1.3], 0)).toBeNull();
});
