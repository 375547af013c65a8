#!/usr/bin/env -S node --max-semi-space-size=2
// The command robot-daemon. Small, plain and not built: it can say that nothing is built yet, and all the code that takes
// time to compile is in the files that it loads, which the compile cache keeps between starts.
// The flag has V8 collect the short-lived garbage of the 50 Hz loop in small portions: at rest that is 12 MB less.
const { existsSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const { join } = require('node:path');
const { beInFolderOfUser } = require('./folder-of-user.cjs');

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
  beInFolderOfUser('daemon');
  enableCompileCache(join(projectDir, 'dist', '.compile-cache'));
  void require(program).commandLine(process.argv.slice(2), projectDir);
}
