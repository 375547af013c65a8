import { expect, test } from 'vitest';
import { bodyRange } from '../kinematics/limits.ts';
import { at, poseFrom } from '../kinematics/pose.ts';
import { inverseKinematics } from '../kinematics/stewart.ts';
import { bodyClamps, partsOf, unreachableText } from './posture.ts';

const still = { rollRad: 0, pitchRad: 0, yawRad: 0 };

test('a rounded pose is corrected to a rotation', () => {
  const exact = poseFrom({ rollRad: 0.1, pitchRad: 0.2, yawRad: 0.3 }, [0.01, 0, 0]);
  const rounded = exact.map((value) => Math.round(value * 1000) / 1000);
  const { head } = partsOf({ head: rounded });
  if (!head) throw new Error('no head');
  const row = (first: number) => [at(head, first), at(head, first + 1), at(head, first + 2)];
  for (const first of [0, 4, 8]) expect(Math.hypot(...row(first))).toBeCloseTo(1, 12);
  for (const [index, value] of exact.entries()) expect(head[index]).toBeCloseTo(value, 2);
});

test.each([
  ['a matrix of ones', new Array<number>(16).fill(1)],
  ['a mirrored one', [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]],
  ['one that scales', [1.1, 0, 0, 0, 0, 1.1, 0, 0, 0, 0, 1.1, 0, 0, 0, 0, 1]],
  ['one with something in its last row', [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1]],
  ['one that is not all numbers', [Number.NaN, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]],
])('%s is no pose', (_name, head) => {
  expect(() => partsOf({ head })).toThrow('The head pose is not a rotation and a translation.');
});

test('the refusal of an unreachable head pose names the leg or the motor', () => {
  const why = (zM: number, rollRad = 0) => {
    const result = inverseKinematics(poseFrom({ ...still, rollRad }, [0, 0, zM]), 0);
    return result.reachable ? null : unreachableText(result);
  };
  expect(why(0)).toBeNull();
  expect(why(0.1)).toBe('The head cannot reach that pose: leg 1 is too short for it.');
  expect(why(0, 0.84)).toMatch(/motor \d would leave its range/);
});

test.each([{ bodyYaw: Number.NaN }, { bodyYaw: Number.POSITIVE_INFINITY }, { antennas: [0, Number.NaN] }])(
  '%o is no target',
  (change) => {
    expect(() => partsOf(change)).toThrow('Every angle must be a number.');
  },
);

test('omitted parts and nulls are no parts', () => {
  const omitted = { head: null, antennas: null, bodyYaw: null };
  expect(partsOf({})).toEqual(omitted);
  expect(partsOf(omitted)).toEqual(omitted);
  expect(partsOf({ antennas: [1, -1], bodyYaw: 0 })).toEqual({ head: null, antennas: [1, -1], bodyYaw: 0 });
});

test('the clamp of a body says what keeps it from its yaw', () => {
  const why = (wantedRad: number, givenRad: number, headYawRad: number) =>
    bodyClamps(wantedRad, givenRad, headYawRad).map((clamp) => clamp.why);
  expect(why(0, 0, 0)).toEqual([]);
  expect(why(3, bodyRange.maxRad, 3)).toEqual(['The body goes to 160° instead of 172°. Its range is ±160°.']);
  expect(why(0, 0.4, 1.6)).toEqual(['The body goes to 23° instead of 0°. The head can turn 65° against it.']);
  expect(why(0, 0.4, 0)).toEqual(['The body goes to 23° instead of 0°. The head cannot hold its pose over it.']);
});
