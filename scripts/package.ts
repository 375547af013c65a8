/**
 * `npm run package`: builds the installers for this kind of system, in release/, and prints how large they are. Options of
 * electron-builder go after `--`: `npm run package -- --dir` builds the unpacked program only.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { electronDownloadProblem } from './environment/electron-program.ts';
import { projectDir } from './environment/project.ts';
import { runProgram } from './suites/suites.ts';

const options = process.argv.slice(2);
const ownElectron = options.some((option) => option.startsWith('-c.electronDist='));
const missing = ownElectron ? null : await electronDownloadProblem();
if (missing) {
  console.error(`No package can be built. ${missing}. The tools for AppImage, rpm, NSIS and dmg come from there too.`);
  process.exit(1);
}
// Chromium's sandbox does not start from a path with a space, and on Linux this is the name of the folder.
const forLinux = process.platform === 'linux' ? ['-c.productName=robot-desktop'] : [];
process.exitCode = await runProgram('electron-builder', ['--publish', 'never', ...forLinux, ...options], debBuilder());

/** fpm, which electron-builder downloads, builds rpm; a deb needs dpkg-deb only. */
function debBuilder(): NodeJS.ProcessEnv {
  const isOwn = existsSync('/usr/bin/dpkg-deb') && !options.includes('rpm') && !process.env['CUSTOM_FPM_PATH'];
  return isOwn ? { CUSTOM_FPM_PATH: join(projectDir, 'scripts', 'packaging', 'deb', 'build-deb.ts') } : {};
}
