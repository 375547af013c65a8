/** The files in assets/moves: made by the script, within the robot's reach and speeds. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { headOver } from '../../daemon/robot/kinematics/interpolation.ts';
import { MAX_JOINT_SPEED_RAD_S, MAX_RELATIVE_YAW_RAD } from '../../daemon/robot/kinematics/limits.ts';
import { isRigid, orthonormalised } from '../../daemon/robot/kinematics/pose.ts';
import { inverseKinematics } from '../../daemon/robot/kinematics/stewart.ts';
import { OwnMoves } from '../../daemon/robot/own-moves.ts';
import { createLogger } from '../../daemon/shared/logger.ts';
import { projectDir } from '../environment/project.ts';
import { dances } from './dances.ts';
import { emotions } from './emotions.ts';
import { durationOf, type Keyframe, type OwnMove, rest } from './keyframes.ts';
import { moveFileText } from './move-file.ts';
import { type MoveSample, sampleBetween } from './move-sample.ts';

const folder = join(projectDir, 'assets', 'moves');
const moves: [string, OwnMove][] = Object.entries({ ...emotions, ...dances });

interface StoredMove {
  readonly description: string;
  readonly kind: string;
  readonly time: number[];
  readonly set_target_data: { head: number[][]; antennas: [number, number]; body_yaw: number }[];
}

/** The targets of a file every 5 ms. */
function targetsOf(name: string): MoveSample[] {
  const { time, set_target_data } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as StoredMove;
  const samples = set_target_data.map(({ head, antennas, body_yaw }) => {
    const pose = head.flat();
    expect(isRigid(pose)).toBe(true);
    return { head: orthonormalised(pose), antennas, bodyYaw: body_yaw };
  });
  return samples.slice(1).flatMap((to, index) => {
    const [fromS, toS] = [time[index] ?? 0, time[index + 1] ?? 0];
    const steps = Math.round((toS - fromS) / 0.005);
    return Array.from({ length: steps }, (_, step) => sampleBetween(samples[index] as MoveSample, to, step / steps));
  });
}

test('there are ten emotions and five dances', () => {
  expect([Object.keys(emotions).length, Object.keys(dances).length]).toEqual([10, 5]);
  const kinds = moves.map(([, { kind }]) => kind);
  expect(kinds).toEqual([...Array<string>(10).fill('emotion'), ...Array<string>(5).fill('dance')]);
});

test('the committed files are those that the script makes: npm run moves', () => {
  const committed = Object.fromEntries(
    readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
  );
  expect(committed).toEqual(Object.fromEntries(moves.map(([name, move]) => [`${name}.json`, moveFileText(move)])));
});

test('the daemon can play each of them', async () => {
  const logged: string[] = [];
  const own = new OwnMoves({ folder, log: createLogger('info', (line) => logged.push(line)) });
  const listed = await own.list();
  expect(listed.map(({ name, kind }) => [name, kind])).toEqual(
    [...moves]
      .sort(([a], [b]) => a.localeCompare(b))
      .sort(([, a], [, b]) => b.kind.localeCompare(a.kind))
      .map(([name, { kind }]) => [name, kind]),
  );
  expect(logged).toEqual([]);
});

test.each(moves)('%s has its keyframes in the order of their times', (_name, { keyframes }) => {
  for (const channel of Object.keys(rest) as (keyof Keyframe)[]) {
    const times = keyframes.filter((frame) => frame[channel] !== undefined).map(({ at }) => at);
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
  }
});

test.each(moves)('%s is within reach of the head and the body', (name) => {
  for (const { head, bodyYaw } of targetsOf(name)) {
    expect(Math.abs(headOver([...head], bodyYaw).yawRad - bodyYaw)).toBeLessThan(MAX_RELATIVE_YAW_RAD);
    expect(inverseKinematics([...head], bodyYaw)).toMatchObject({ reachable: true });
  }
});

test.each(moves)('%s moves no joint faster than it can', (name) => {
  let last: number[] | null = null;
  let fastest = 0;
  for (const { head, antennas, bodyYaw } of targetsOf(name)) {
    const inverse = inverseKinematics([...head], bodyYaw);
    const joints: number[] = [bodyYaw, ...(inverse.reachable ? inverse.stewartRad : []), ...antennas];
    const before: number[] = last ?? joints;
    fastest = Math.max(fastest, ...joints.map((joint, index) => Math.abs(joint - (before[index] ?? joint)) / 0.005));
    last = joints;
  }
  expect(fastest).toBeGreaterThan(0.3);
  expect(fastest).toBeLessThan(0.9 * MAX_JOINT_SPEED_RAD_S);
});

test.each(moves)('%s begins and ends at rest, and takes a few seconds', (name, move) => {
  const level = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  const targets = targetsOf(name);
  for (const target of [targets[0], targets.at(-1)]) {
    expect(target?.bodyYaw).toBeCloseTo(0, 2);
    expect(target?.antennas.map((angle) => Math.abs(angle - 0.1745) < 0.02 || Math.abs(angle + 0.1745) < 0.02)).toEqual(
      [true, true],
    );
    for (const [index, value] of level.entries()) expect(target?.head[index]).toBeCloseTo(value, 2);
  }
  const lengthS = durationOf(move.keyframes);
  expect(targets.length).toBe(Math.round(lengthS / 0.005));
  expect(lengthS).toBeGreaterThan(2);
  expect(lengthS).toBeLessThan(9);
});

test('the files are small enough for a package that is installed with every app', () => {
  const bytes = readdirSync(folder).reduce((sum, file) => sum + readFileSync(join(folder, file)).length, 0);
  expect(bytes).toBeLessThan(250_000);
});
