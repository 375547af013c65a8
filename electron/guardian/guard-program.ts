import { join } from 'node:path';
import { type GuardProgram, guardProgramIn } from '../../daemon/guardian/guardian-process.ts';
import { isProgram, programOnPath } from '../../daemon/shared/files/program-on-path.ts';

interface GuardPlaces {
  /** The folder of the program: in a package its archive, else the source tree. */
  readonly appPath: string;
  readonly resourcesPath: string;
  readonly isPackaged: boolean;
  readonly platform: NodeJS.Platform;
  /** The search path, for a source tree without a Node of its own. */
  readonly path: string;
}

/** Finds the guardian and its Node: in a package its own, in a source tree the project's. @returns null when one is missing */
export async function guardProgram(places: GuardPlaces): Promise<GuardProgram | null> {
  const node = await nodeIn(places);
  // Only Electron reads an archive; the guardian is beside it, with the commands.
  return node === null ? null : guardProgramIn(places.isPackaged ? places.resourcesPath : places.appPath, node);
}

async function nodeIn({ appPath, resourcesPath, isPackaged, platform, path }: GuardPlaces): Promise<string | null> {
  const own = isPackaged
    ? join(resourcesPath, 'node', ...(platform === 'win32' ? ['node.exe'] : ['bin', 'node']))
    : join(appPath, 'node_modules', '.bin', 'node');
  if (await isProgram(own)) return own;
  return isPackaged ? null : programOnPath('node', path, platform);
}
