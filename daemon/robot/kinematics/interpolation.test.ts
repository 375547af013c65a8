import { expect, test } from 'vitest';
import { defaultPosture } from './geometry.ts';
import { easings, headBetween, headOver, mix } from './interpolation.ts';
import { poseFrom, rollPitchYawOf } from './pose.ts';

const deg = Math.PI / 180;
const turned = (headDeg: number, bodyDeg: number) =>
  headOver(poseFrom({ rollRad: 0, pitchRad: 0, yawRad: headDeg * deg }), bodyDeg * deg);

test.each([
  ['linear', [0, 0.25, 0.5, 0.75, 1]],
  ['minjerk', [0, 0.103515625, 0.5, 0.896484375, 1]],
  ['ease_in_out', [0, 0.125, 0.5, 0.875, 1]],
  ['cartoon', [0, -0.0996818437, 0.5, 1.0996818437, 1]],
] as const)('%s begins, passes its middle and ends where it should', (method, shares) => {
  for (const [quarter, share] of shares.entries()) expect(easings[method](quarter / 4)).toBeCloseTo(share, 9);
});

test('minjerk starts and stops without speed or jerk', () => {
  const speed = (time: number) => (easings.minjerk(time + 1e-5) - easings.minjerk(time - 1e-5)) / 2e-5;
  expect(speed(0)).toBeCloseTo(0, 6);
  expect(speed(1)).toBeCloseTo(0, 6);
  expect(speed(0.5)).toBeCloseTo(1.875, 6); // 15/8 of the mean, as its polynomial has it
});

test('at half the share, position and angle are half way', () => {
  const to = poseFrom({ rollRad: 0.2, pitchRad: -0.4, yawRad: 0.6 }, [0.01, 0.02, -0.03]);
  const { pose, yawRad } = headBetween(headOver(defaultPosture.head, 0), headOver(to, 0), 0.5);
  expect(rollPitchYawOf(pose)).toEqual({
    rollRad: expect.closeTo(0.1),
    pitchRad: expect.closeTo(-0.2),
    yawRad: expect.closeTo(0.3),
  });
  expect(yawRad).toBeCloseTo(0.3);
  expect([pose[3], pose[7], pose[11]]).toEqual([0.005, 0.01, -0.015]);
});

test('from one side of its back to the other the robot turns past its front, head and body together', () => {
  const [from, to] = [turned(-170, 150), turned(170, -150)];
  for (let share = 0; share <= 1; share += 0.05) {
    const { pose } = headBetween(from, to, share);
    const away = rollPitchYawOf(pose).yawRad - mix(150, -150, share) * deg;
    expect(Math.abs(Math.atan2(Math.sin(away), Math.cos(away)))).toBeLessThanOrEqual(40.0001 * deg);
  }
  expect(headBetween(from, to, 0.5).yawRad).toBeCloseTo(0);
});

test.each([
  ['before the body', 30, 0, 30],
  ['over a body that is turned the other way', 30, -120, 30],
  ['past the back of a body turned left', -170, 150, 190],
  ['and right', 170, -150, -190],
])('a head is unwrapped over its body: %s', (_name, headDeg, bodyDeg, unwrappedDeg) => {
  expect(turned(headDeg, bodyDeg).yawRad / deg).toBeCloseTo(unwrappedDeg, 9);
});
