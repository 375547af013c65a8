import { describe, expect, test } from 'vitest';
import { defaultPosture, sleepPosture } from './geometry.ts';
import { angleBetween, distanceBetween, poseFrom } from './pose.ts';
import { forwardKinematics, inverseKinematics } from './stewart.ts';

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

test('a pose out of reach is an answer, never NaN', () => {
  expect(inverseKinematics(poseFrom(still, [0, 0, 0.2]), 0)).toEqual({ reachable: false, leg: 0, why: 'too-far' });
  expect(inverseKinematics(poseFrom({ ...still, pitchRad: 80 * deg }), 0)).toMatchObject({ reachable: false });
  expect(inverseKinematics(poseFrom({ ...still, yawRad: Number.NaN }), 0)).toMatchObject({ reachable: false });
});

test('a rounded pose to start from does not leave its rounding in the answer', () => {
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
