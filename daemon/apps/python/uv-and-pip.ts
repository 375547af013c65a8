import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { succeeds } from '../../shared/async/succeeds.ts';
import { pythonIn, type RunStep } from './python-env.ts';

const PROBE_MS = 15_000;

/**
 * Looks for uv on PATH, then in environments.
 * @param environments folders of Python environments, in order of preference
 * @returns the first uv that runs, as a program name or path; null when there is none
 */
export async function findUv(environments: readonly string[], run: RunStep): Promise<string | null> {
  const program = process.platform === 'win32' ? 'uv.exe' : 'uv';
  for (const candidate of ['uv', ...environments.map((folder) => join(dirname(pythonIn(folder)), program))]) {
    if (await succeeds(run(candidate, ['--version'], { deadlineMs: PROBE_MS }))) return candidate;
  }
  return null;
}

/** The environments that the daemon made for its tools, one for each Python. */
export async function toolEnvironments(toolsDir: string): Promise<string[]> {
  const names = await readdir(toolsDir).catch(() => []);
  return names.filter((name) => name.startsWith('python-')).map((name) => join(toolsDir, name));
}

/** The folder for uv's cache of downloads and builds. */
export function uvCacheDir(cacheDir: string): string {
  return join(cacheDir, 'uv');
}

/** The folder for pip's cache. */
export function pipCacheDir(cacheDir: string): string {
  return join(cacheDir, 'pip');
}

/**
 * The environment of the programs that install apps.
 * @param cacheDir the folder for downloads, on the disk of the apps' environments so that uv can link files
 * @param child the environment of every child of the daemon; a cache set by the user takes precedence
 */
export function installEnvironment(cacheDir: string, child: Readonly<Record<string, string>>): Record<string, string> {
  return {
    ...{ UV_CACHE_DIR: uvCacheDir(cacheDir), PIP_CACHE_DIR: pipCacheDir(cacheDir) },
    ...child,
    // uv downloads a Python only when the user accepts it.
    UV_PYTHON_DOWNLOADS: 'never',
  };
}
