import { join } from 'node:path';

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
