/**
 * `npm run package`: builds the installers for this kind of system, in release/. Options of electron-builder go after
 * `--`; `npm run package -- --dir` builds the unpacked program only.
 */
import { electronOutOfReach } from './environment/electron-program.ts';
import { runProgram } from './suites/suites.ts';

const options = process.argv.slice(2);
const ownElectron = options.some((option) => option.startsWith('-c.electronDist='));
const missing = ownElectron ? null : await electronOutOfReach();
if (missing) {
  console.error(
    `No package can be made now. ${missing}, and the tools that make deb, AppImage, NSIS and dmg come from there too.`,
  );
  process.exit(1);
}
process.exitCode = await runProgram('electron-builder', ['--publish', 'never', ...options]);
