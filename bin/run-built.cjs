const { existsSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const { join } = require('node:path');
const { beInFolderOfUser } = require('./folder-of-user.cjs');
const { nodeAdvice, runWithOwnNode } = require('./newer-node.cjs');

const OLDEST_NODE = 24;

const projectDir = join(__dirname, '..');

/**
 * Runs a built program, on an older Node with the project's own. All the code that takes time to compile is in the files that it loads, which the compile cache keeps
 * between starts.
 * @param {{ name: string, script: string, file: string, run: string }} program its name, its script in package.json, its
 *   file in dist/node and the function there that runs it
 */
exports.runBuilt = ({ name, script, file, run }) => {
  const program = join(projectDir, 'dist', 'node', file);
  if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
    if (runWithOwnNode()) return;
    console.error(`${name} needs Node ${OLDEST_NODE} or newer, and this is ${process.version}. ${nodeAdvice()}`);
    process.exitCode = 1;
  } else if (!existsSync(program)) {
    console.error(`${name} is not built yet. Run "npm run build" in ${projectDir}.`);
    process.exitCode = 1;
  } else {
    beInFolderOfUser(script);
    enableCompileCache(join(projectDir, 'dist', '.compile-cache'));
    void require(program)[run](process.argv.slice(2), { projectDir });
  }
};
