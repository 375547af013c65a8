import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isProgram, programOnPath } from '../../daemon/shared/files/program-on-path.ts';

/** The program of the guardian, for a Node that is not Electron. */
export interface GuardProgram {
  readonly node: string;
  readonly args: readonly string[];
}

export interface GuardPlaces {
  /** The folder of the program: in a package its archive, else the source tree. */
  readonly appPath: string;
  readonly resourcesPath: string;
  readonly isPackaged: boolean;
  readonly platform: NodeJS.Platform;
  /** The search path, for a source tree without a Node of its own. */
  readonly path: string;
}

/** V8 without its compilers, which a few seconds of work do not need, and without threads for them: 3 MB less. */
const SMALL = ['--lite-mode', '--v8-pool-size=0'];

/** Finds the guardian and its Node: in a package its own, in a source tree the project's. @returns null when one is missing */
export async function guardProgram(places: GuardPlaces): Promise<GuardProgram | null> {
  // Only Electron reads an archive; the guardian is beside it, with the commands.
  const folder = places.isPackaged ? places.resourcesPath : places.appPath;
  const program = join(folder, 'dist', 'node', 'guard.cjs');
  const node = await nodeIn(places);
  return node !== null && existsSync(program) ? { node, args: [...SMALL, program] } : null;
}

async function nodeIn({ appPath, resourcesPath, isPackaged, platform, path }: GuardPlaces): Promise<string | null> {
  const own = isPackaged
    ? join(resourcesPath, 'node', ...(platform === 'win32' ? ['node.exe'] : ['bin', 'node']))
    : join(appPath, 'node_modules', '.bin', 'node');
  if (await isProgram(own)) return own;
  return isPackaged ? null : programOnPath('node', path, platform);
}
