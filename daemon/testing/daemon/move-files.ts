import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectDir } from './test-daemon.ts';

/** The text of a move's file: the antennas from 0 to 0.5 rad, the head still. @param more replaces keys */
export function moveFileText(durationS: number, more: object = {}): string {
  const target = (angle: number) => ({
    head: [
      [1, 0, 0, 0],
      [0, 1, 0, 0],
      [0, 0, 1, 0],
      [0, 0, 0, 1],
    ],
    antennas: [angle, -angle],
    body_yaw: 0,
    check_collision: false,
  });
  const targets = [target(0), target(0.5)];
  return JSON.stringify({ description: 'A test.', time: [0, durationS], set_target_data: targets, ...more });
}

/** Fills an empty folder with this project's assets, but other moves. @param moves their files' contents by name */
export async function linkAssets(folder: string, moves: Readonly<Record<string, string>>): Promise<void> {
  const assets = join(projectDir, 'assets');
  const others = (await readdir(assets)).filter((name) => name !== 'moves');
  await Promise.all(others.map((name) => symlink(join(assets, name), join(folder, name))));
  await mkdir(join(folder, 'moves'));
  await Promise.all(Object.entries(moves).map(([name, text]) => writeFile(join(folder, 'moves', name), text)));
}
