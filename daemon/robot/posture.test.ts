import { expect, test } from 'vitest';
import { defaultPosture } from './kinematics/geometry.ts';
import { at, poseFrom } from './kinematics/pose.ts';
import { changedPosture } from './posture.ts';

const still = { rollRad: 0, pitchRad: 0, yawRad: 0 };
const reached = (change: Parameters<typeof changedPosture>[1]) => {
  const result = changedPosture(defaultPosture, change);
  return result.reachable ? result : expect.fail(result.why);
};

test('a rounded pose is corrected to a rotation', () => {
  const exact = poseFrom({ rollRad: 0.1, pitchRad: 0.2, yawRad: 0.3 }, [0.01, 0, 0]);
  const rounded = exact.map((value) => Math.round(value * 1000) / 1000);
  const { posture } = reached({ head: rounded });
  const row = (first: number) => [at(posture.head, first), at(posture.head, first + 1), at(posture.head, first + 2)];
  for (const first of [0, 4, 8]) expect(Math.hypot(...row(first))).toBeCloseTo(1, 12);
  for (const [index, value] of exact.entries()) expect(posture.head[index]).toBeCloseTo(value, 2);
});

test.each([
  ['a matrix of ones', new Array<number>(16).fill(1)],
  ['a mirrored one', [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]],
  ['one that scales', [1.1, 0, 0, 0, 0, 1.1, 0, 0, 0, 0, 1.1, 0, 0, 0, 0, 1]],
  ['one with something in its last row', [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1]],
  ['one that is not all numbers', [Number.NaN, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]],
])('%s is no pose', (_name, head) => {
  expect(changedPosture(defaultPosture, { head })).toEqual({
    reachable: false,
    why: 'The head pose is not a rotation and a translation.',
  });
});

test('the refusal of an unreachable head pose names the leg or the motor', () => {
  const why = (zM: number, rollRad = 0) => {
    const result = changedPosture(defaultPosture, { head: poseFrom({ ...still, rollRad }, [0, 0, zM]) });
    return result.reachable ? null : result.why;
  };
  expect(why(0)).toBeNull();
  expect(why(0.1)).toBe('The head cannot reach that pose: leg 1 is too short for it.');
  expect(why(0, 0.84)).toMatch(/motor \d would leave its range/);
});

test('omitted parts stay and are not reported as clamped', () => {
  const { posture, clamped } = reached({ antennas: [1, -1] });
  expect(clamped).toEqual([]);
  expect(posture.head).toBe(defaultPosture.head);
});
