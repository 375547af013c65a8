const { spawn } = require('node:child_process');
const { existsSync, realpathSync } = require('node:fs');
const { join } = require('node:path');

const projectDir = join(__dirname, '..');
const FROM_TERMINAL = ['SIGINT', 'SIGHUP', 'SIGQUIT'];

/**
 * The project's own Node, a package of npm.
 * @returns {string | null} its path; null: it is not installed, or it is the one that runs this
 */
function ownNode() {
  try {
    const node = realpathSync(join(projectDir, 'node_modules', '.bin', 'node'));
    return node === realpathSync(process.execPath) ? null : node;
  } catch {
    return null;
  }
}

/**
 * Runs this process's script with the project's own Node, on the same terminal, and ends as that ends.
 * @returns {boolean} false when the project has none
 */
exports.runWithOwnNode = () => {
  const node = ownNode();
  if (node === null) return false;
  // A terminal sends its signals to both, and twice would be a second Ctrl-C.
  const hasTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
  /** @type {[string, () => void][]} */
  const handlers = [...FROM_TERMINAL, 'SIGTERM'].map((signal) => {
    const isSentToBoth = hasTerminal && FROM_TERMINAL.includes(signal);
    const handler = () => void (isSentToBoth || child.kill(/** @type {NodeJS.Signals} */ (signal)));
    process.on(signal, handler);
    return [signal, handler];
  });
  // After the handlers: a signal that comes at once is passed on too.
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], { stdio: 'inherit' });
  child.once('error', (error) => {
    console.error(`${node} cannot be run: ${error.message}`);
    process.exitCode = 1;
  });
  child.once('exit', (code, signal) => {
    for (const [name, handler] of handlers) process.off(name, handler);
    if (signal === null) process.exitCode = code ?? 1;
    else process.kill(process.pid, signal);
  });
  return true;
};

/** The advice where the project has no Node of its own. Only the source tree can bring one. */
exports.nodeAdvice = () =>
  process.platform === 'linux' && process.arch === 'x64' && existsSync(join(projectDir, 'scripts', 'setup.mjs'))
    ? `"npm run build" in ${projectDir} brings one.`
    : 'Install it from nodejs.org.';
