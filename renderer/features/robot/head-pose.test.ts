import { expect, test } from 'vitest';
import { headPose } from './RobotDrawing.tsx';

test('the sleeping head looks down by 24.4° and stands 44 mm lower', () => {
  const asleep = [0.911, 0.004, 0.413, -0.021, -0.004, 1, -0.001, 0.001, -0.413, -0.001, 0.911, -0.044, 0, 0, 0, 1];
  const { roll, pitch, yaw, x, y, z } = headPose(asleep);
  expect([roll, pitch, yaw].map((angle) => angle.toFixed(1))).toEqual(['-0.1', '24.4', '-0.3']);
  expect([x, y, z]).toEqual([-21, 1, -44]);
});
