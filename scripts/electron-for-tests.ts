import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installedElectron, reasonForNoSandbox } from './electron-program.ts';
import { projectDir } from './project.ts';

export const standInDir = join(projectDir, 'e2e', 'electron-standin');

/**
 * What the tests of the window run on: Electron, where its binary is and may run, else the stand-in for it. The sandbox is
 * never switched off to run Electron.
 */
export function electronForTests(): { readonly name: string; readonly env: NodeJS.ProcessEnv } {
  const given = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (given && existsSync(join(given, 'electron'))) return { name: `what is in ${given}`, env: {} };
  if (installedElectron({}) && !reasonForNoSandbox(process.env)) return { name: 'Electron', env: {} };
  return { name: 'the stand-in', env: { ELECTRON_OVERRIDE_DIST_PATH: standInDir } };
}
