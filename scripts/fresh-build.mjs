// Builds the parts of dist/ whose sources have changed. Plain JavaScript for Node 18, like setup.mjs, which runs it.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const projectDir = dirname(dirname(fileURLToPath(import.meta.url)));

/** The documents that the page shows. */
const shown = ['check-rules', 'containers', 'endpoint-variants', 'lite-robot'].map((name) => `docs/${name}.md`);
const ofPage = ['vite.config.ts', 'scripts/page-icons.ts', 'LICENSE', ...shown];
const forAll = ['package-lock.json', 'tsconfig.base.json', 'scripts/build.ts'];
/** The folders of dist/, each with its sources. */
const sources = {
  node: ['daemon', 'electron', 'vite.node.config.ts', 'vite.runner.config.ts', 'vite.guard.config.ts', ...forAll],
  renderer: ['renderer', 'daemon/contract', 'daemon/client', ...ofPage, ...forAll],
};

/**
 * Builds the folders that are stale, by names, times and sizes of the sources: reading every file at each start would take
 * ten times as long.
 * @returns false when the build failed and printed why; dist/ is then unchanged
 */
export function freshBuild() {
  const stale = Object.entries(sources)
    .map(([part, paths]) => ({ part, stamp: stampOf(paths) }))
    .filter(({ part, stamp }) => stamp !== builtFrom(part));
  if (stale.length === 0) return true;
  console.log('Building the changed sources (a few seconds)…');
  const ownNode = join(projectDir, 'node_modules', '.bin', 'node');
  const { status } = spawnSync(
    existsSync(ownNode) ? ownNode : process.execPath,
    [join(projectDir, 'scripts', 'build.ts'), ...stale.map(({ part, stamp }) => `${part}=${stamp}`)],
    { cwd: projectDir, stdio: 'inherit' },
  );
  return status === 0;
}

/** @param {string} part */
function builtFrom(part) {
  try {
    return readFileSync(join(projectDir, 'dist', part, '.built-from'), 'utf8');
  } catch {
    return null;
  }
}

/** @param {readonly string[]} paths */
function stampOf(paths) {
  const hash = createHash('sha256').update(process.platform);
  for (const path of paths) addTo(hash, path);
  return hash.digest('hex');
}

/**
 * @param {import('node:crypto').Hash} hash
 * @param {string} path
 */
function addTo(hash, path) {
  const stats = statSync(join(projectDir, path), { throwIfNoEntry: false });
  if (stats?.isFile()) hash.update(`${path}\0${stats.mtimeMs}\0${stats.size}\n`);
  if (!stats?.isDirectory()) return;
  for (const name of readdirSync(join(projectDir, path)).sort()) {
    if (name !== 'testing' && name !== 'recordings' && !/\.test\.tsx?$/.test(name)) addTo(hash, `${path}/${name}`);
  }
}
