/**
 * `npm run package`: builds the installers for this kind of system, in release/. Options of electron-builder go after
 * `--`; `npm run package -- --dir` builds the unpacked program only.
 */
import { electronDownloadProblem } from './environment/electron-program.ts';
import { runProgram } from './suites/suites.ts';

const options = process.argv.slice(2);
const ownElectron = options.some((option) => option.startsWith('-c.electronDist='));
const missing = ownElectron ? null : await electronDownloadProblem();
if (missing) {
  console.error(`No package can be built. ${missing}. The tools for deb, AppImage, NSIS and dmg come from there too.`);
  process.exit(1);
}
process.exitCode = await runProgram('electron-builder', ['--publish', 'never', ...options]);
