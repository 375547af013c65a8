import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { jointRanges } from '../kinematics/limits.ts';
import { sleepJoints } from '../motions/posture.ts';
import { joined, motorNames } from '../motors.ts';
import { readHardware } from './hardware.ts';
import { radFromSteps } from './registers.ts';

const lite = join(import.meta.dirname, '..', '..', '..', 'assets', 'hardware', 'lite.json');

test('the servos are in the order of the bus, and have the limits of their joints', () => {
  const { motors } = readHardware(lite);
  expect(motors.map(({ name, id }) => [name, id])).toEqual(motorNames.map((name, index) => [name, 10 + index]));
  const step = (2 * Math.PI) / 4096 + 1e-9;
  const sleeping = joined(sleepJoints);
  for (const [index, { minPosition, maxPosition }] of motors.entries()) {
    const { minRad = 0, maxRad = 0 } = jointRanges[index] ?? {};
    const [least, most] = [radFromSteps(minPosition), radFromSteps(maxPosition)];
    if (index > 0) {
      expect(Math.abs(least - minRad)).toBeLessThanOrEqual(step);
      expect(Math.abs(most - maxRad)).toBeLessThanOrEqual(step);
    }
    expect(sleeping[index]).toBeGreaterThan(least);
    expect(sleeping[index]).toBeLessThan(most);
  }
});

test('an invalid description is refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'robot-desktop-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const read = async (change: (hardware: { motors: Record<string, unknown>[] }) => void) => {
    const hardware = JSON.parse(await readFile(lite, 'utf8'));
    change(hardware);
    const file = join(folder, 'lite.json');
    await writeFile(file, JSON.stringify(hardware));
    return readHardware(file);
  };
  await expect(read(() => {})).resolves.toEqual(readHardware(lite));
  await expect(read(({ motors }) => motors.reverse())).rejects.toThrow('not in the order of the bus');
  await expect(read(({ motors }) => Object.assign(motors[1] ?? {}, { id: 10 }))).rejects.toThrow('same id');
  await expect(read(({ motors }) => motors.pop())).rejects.toThrow();
  await expect(read((hardware) => Object.assign(hardware, { extra: 1 }))).rejects.toThrow();
  expect(() => readHardware(join(folder, 'missing.json'))).toThrow();
});
