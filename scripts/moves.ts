/** Writes the robot's own moves to assets/moves, and removes other files there. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectDir } from './environment/project.ts';
import { dances } from './own-moves/dances.ts';
import { emotions } from './own-moves/emotions.ts';
import { moveFileText } from './own-moves/move-file.ts';

const folder = join(projectDir, 'assets', 'moves');
await mkdir(folder, { recursive: true });
for (const file of await readdir(folder)) await rm(join(folder, file));
for (const [name, move] of Object.entries({ ...emotions, ...dances })) {
  await writeFile(join(folder, `${name}.json`), moveFileText(move));
}
