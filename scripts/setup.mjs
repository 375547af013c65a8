// Runs before every command, on the user's Node (18 or newer), before node_modules exists: plain JavaScript.
// Installs the packages of package-lock.json when it has changed; with --omit=dev those that a start and its build need,
// half as many. Node 24, which everything else runs on, is one of them: npm puts node_modules/.bin first on the path of
// each script. With --build it also builds what is stale.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freshBuild } from './fresh-build.mjs';
import { isInstalled } from './npm-record.mjs';

const OLDEST_NODE = 24;

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
const omitDev = process.argv.includes('--omit=dev');
const stamp = 'node_modules/.installed';
const lock = readFileSync('package-lock.json');
const hash = createHash('sha256')
  .update(lock)
  .update(process.platform + process.arch)
  .digest('hex');
const all = `${hash} with dev`;

const installed = readOrEmpty(stamp);
if (installed !== all && !(omitDev && installed === hash)) {
  if (!npmHasInstalled()) install();
  rmSync(stamp, { force: true }); // never written through a link that is shared with another tree
  writeFileSync(stamp, omitDev ? hash : all);
}

if (!hasNode()) {
  console.error(
    `Robot Desktop needs Node ${OLDEST_NODE} or newer, and has no copy of it for ${process.platform} ${process.arch}. Install it from nodejs.org.`,
  );
  process.exit(1);
}
if (process.argv.includes('--build') && !freshBuild()) process.exit(1);

/** Whether npm was run by hand, completely and on this system. */
function npmHasInstalled() {
  const text = readOrEmpty('node_modules/.package-lock.json');
  if (text === '') return false;
  const record = JSON.parse(text);
  // npm also writes the record with --package-lock-only, which installs nothing.
  return (
    isInstalled(JSON.parse(lock.toString()), record, process, omitDev) &&
    Object.entries(record.packages).every(isPresent)
  );
}

/** @param {[string, { version: string }]} entry a package's folder and its record in npm */
function isPresent([path, { version }]) {
  const manifest = readOrEmpty(`${path}/package.json`);
  return manifest !== '' && JSON.parse(manifest).version === version;
}

function install() {
  // npm ci would first remove what is there.
  const adds = !omitDev && installed === hash;
  console.log(`Installing ${adds ? 'what checks, tests and packages need' : 'dependencies'} (about a minute, once)…`);
  // npm's own Node, not the one in node_modules, which the install replaces.
  const node = process.env['npm_node_execpath'] ?? process.execPath;
  const npm = process.env['npm_execpath'];
  const command = adds ? ['install', '--no-save'] : ['ci'];
  const args = [...command, ...(omitDev ? ['--omit=dev'] : []), '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    if (npm) execFileSync(node, [npm, ...args], { stdio: 'inherit' });
    else execFileSync('npm', args, { stdio: 'inherit', shell: process.platform === 'win32' });
  } catch {
    console.error("The dependencies could not be installed, see npm's message above. Is the npm registry reachable?");
    process.exit(1);
  }
}

/** @param {string} path */
function readOrEmpty(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Whether the scripts get a Node that is new enough: the package, else the Node that runs this. */
function hasNode() {
  return existsSync('node_modules/.bin/node') || Number.parseInt(process.versions.node, 10) >= OLDEST_NODE;
}
