import { expect, test } from 'vitest';
import { randomNumbers } from '../simulation/random-numbers.ts';
import { angleBetween, poseFrom } from './pose.ts';
import { poseOf, type Quaternion, quaternionOf, rotationBetween } from './quaternion.ts';

const turned = (rollRad: number, pitchRad: number, yawRad: number) => poseFrom({ rollRad, pitchRad, yawRad });
const rotations = () => {
  const random = randomNumbers(7);
  const angle = () => (random() * 2 - 1) * Math.PI;
  return Array.from({ length: 500 }, () => turned(angle(), angle() / 2, angle()));
};

test('a pose becomes a unit quaternion and the same pose again', () => {
  const halfTurns = [turned(Math.PI, 0, 0), turned(0, Math.PI, 0), turned(0, 0, Math.PI), turned(0, 0, -Math.PI)];
  for (const pose of [...rotations(), ...halfTurns, turned(0, 0, 0)]) {
    const quaternion = quaternionOf(pose);
    expect(Math.hypot(...quaternion)).toBeCloseTo(1, 12);
    const again = poseOf(quaternion, [0, 0, 0]);
    for (const [index, value] of pose.entries()) expect(again[index]).toBeCloseTo(value, 12);
  }
});

test('a share of the way between two rotations is that share of the angle, either sign of a quaternion', () => {
  const all = rotations();
  for (const [index, pose] of all.entries()) {
    const next = all[(index + 1) % all.length] ?? pose;
    const whole = angleBetween(pose, next);
    if (whole > 3.1) continue; // half a turn has no shortest way
    const to = quaternionOf(next);
    const opposite: Quaternion = [-to[0], -to[1], -to[2], -to[3]];
    for (const share of [0, 0.25, 0.5, 1]) {
      for (const end of [to, opposite]) {
        const between = poseOf(rotationBetween(quaternionOf(pose), end, share), [0, 0, 0]);
        expect(angleBetween(pose, between)).toBeCloseTo(share * whole, 6);
        expect(angleBetween(between, next)).toBeCloseTo((1 - share) * whole, 6);
      }
    }
  }
});

test('rotations close to each other have one in between', () => {
  const to = quaternionOf(turned(0, 0, 1e-9));
  expect(rotationBetween([1, 0, 0, 0], to, 0.5)[3]).toBeCloseTo(0.25e-9, 15);
  expect(rotationBetween([1, 0, 0, 0], [1, 0, 0, 0], 0.5)).toEqual([1, 0, 0, 0]);
});
