#!/usr/bin/env -S node --max-semi-space-size=2
// The command robot-daemon. Small, plain and not built: it can say that nothing is built yet, and all the code that takes
// time to compile is in the files that it loads, which the compile cache keeps between starts.
// The flag has V8 collect the short-lived garbage of the 50 Hz loop in small portions: at rest that is 12 MB less.
const { existsSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const { join } = require('node:path');

const OLDEST_NODE = 24;

const projectDir = join(__dirname, '..');
const program = join(projectDir, 'dist', 'node', 'command-line.cjs');

if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  console.error(`robot-daemon needs Node ${OLDEST_NODE} or newer. "npm run daemon" in ${projectDir} brings its own.`);
  process.exitCode = 1;
} else if (!existsSync(program)) {
  console.error(`robot-daemon is not built yet. Run "npm run build" in ${projectDir}.`);
  process.exitCode = 1;
} else {
  beInFolderOfUser();
  enableCompileCache(join(projectDir, 'dist', '.compile-cache'));
  void require(program).commandLine(process.argv.slice(2), projectDir);
}

/** npm runs a script in the project's folder. Paths in the arguments are relative to the one that the user is in. */
function beInFolderOfUser() {
  const { npm_lifecycle_event: script, npm_package_json: manifest, INIT_CWD: folder } = process.env;
  if (script !== 'daemon' || manifest !== join(projectDir, 'package.json') || !folder) return;
  try {
    process.chdir(folder);
  } catch {
    // It was removed, or may not be read: full paths still work.
  }
}
