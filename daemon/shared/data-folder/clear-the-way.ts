import { DomainError } from '../domain-error.ts';
import type { DataPaths } from '../files/data-paths.ts';
import { setAside } from '../files/set-aside.ts';
import type { Logger } from '../logger.ts';
import { findObstacles, type Obstacle } from './obstacles.ts';

interface Obstruction {
  readonly what: string;
  readonly problem: Exclude<Obstacle['problem'], 'read-only'>;
}

/** Something in the data folder keeps a daemon from starting. */
export class DataFolderObstructed extends DomainError {
  constructor({ what, problem }: Obstruction, cause?: Error) {
    const how = {
      kind: `Move it elsewhere${cause ? ` (${cause.message})` : ''}.`,
      link: 'Connect its disk, or run "robot-daemon doctor --fix", which sets the link aside.',
      access: 'Give it to this user, or run "robot-daemon doctor --fix", which sets it aside.',
    };
    super(`${what}. ${how[problem]}`, { cause });
  }
}

/**
 * Sets aside what is in the place of the daemon's files and folders. Leaves to the user what may come back by itself, such
 * as a folder on another disk. The caller holds the lock of the data folder.
 * @throws DataFolderObstructed
 */
export async function clearTheWay(paths: DataPaths, { now, log }: { now: () => Date; log: Logger }): Promise<void> {
  for (const obstacle of await findObstacles(paths)) {
    const { what, problem } = obstacle;
    if (problem === 'read-only') {
      log.warn(`${what}: nothing can be saved in it`);
      continue;
    }
    if (problem !== 'kind') throw new DataFolderObstructed({ what, problem });
    try {
      const aside = await setAside(obstacle.path, paths.root, now());
      log.warn(`${what}: it is set aside as ${aside}`);
    } catch (error) {
      // A folder in the place of a file only keeps that file from being written.
      if (obstacle.wanted === 'folder') throw new DataFolderObstructed({ what, problem }, error as Error);
      log.warn(`${what}, and cannot be set aside: ${(error as Error).message}`);
    }
  }
}
