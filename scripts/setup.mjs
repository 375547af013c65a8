// Runs before every command, on whatever Node the user has (18 or newer), before node_modules exists: plain JavaScript.
// Installs what package-lock.json says, when it says something new. Node 24, which everything else runs on, is one of
// the packages: npm puts node_modules/.bin first on the path of each script.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE = 24;

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
const stamp = 'node_modules/.installed';
const wanted = createHash('sha256')
  .update(readFileSync('package-lock.json'))
  .update(process.platform + process.arch)
  .digest('hex');

if (readOrEmpty(stamp) !== wanted) {
  console.log('Installing dependencies (about half a minute, once)…');
  // npm's own Node, never the one in node_modules: installing replaces that.
  const node = process.env.npm_node_execpath ?? process.execPath;
  const npm = process.env.npm_execpath;
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    if (npm) execFileSync(node, [npm, ...args], { stdio: 'inherit' });
    else execFileSync('npm', args, { stdio: 'inherit', shell: process.platform === 'win32' });
  } catch {
    console.error('The dependencies could not be installed: npm says why above. Is the npm registry reachable?');
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
}

const version = nodeVersion();
if (version < OLDEST_NODE) {
  console.error(
    `Robot Desktop needs Node ${OLDEST_NODE} or newer, and has no copy of it for ${process.platform} ${process.arch}. Install it from nodejs.org.`,
  );
  process.exit(1);
}

function readOrEmpty(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** The version of the Node that the scripts will get. */
function nodeVersion() {
  const found = execFileSync('node', ['--version'], { encoding: 'utf8', shell: process.platform === 'win32' });
  return Number.parseInt(found.slice(1), 10);
}
