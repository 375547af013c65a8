import { join, resolve } from 'node:path';
import { installedElectron, reasonForNoSandbox } from './electron-program.ts';
import { projectDir } from './project.ts';

export const standInDir = join(projectDir, 'e2e', 'electron-standin');

/**
 * Chooses the program for tests of the window: Electron if its binary exists and can run, else the stand-in. The sandbox
 * is never switched off to run Electron.
 */
export function electronForTests(): { readonly name: 'Electron' | 'the stand-in'; readonly env: NodeJS.ProcessEnv } {
  const given = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  const choosesStandIn = given !== undefined && resolve(given) === standInDir;
  if (!choosesStandIn && installedElectron(process.env) && !reasonForNoSandbox(process.env)) {
    return { name: 'Electron', env: {} };
  }
  return { name: 'the stand-in', env: { ELECTRON_OVERRIDE_DIST_PATH: standInDir } };
}
