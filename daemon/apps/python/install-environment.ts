import { join } from 'node:path';

/** Where uv keeps downloads and builds for the next install. */
export function uvCacheDir(cacheDir: string): string {
  return join(cacheDir, 'uv');
}

/**
 * The environment of the programs that install apps.
 * @param cacheDir the folder for downloads. It is on the disk of the apps' environments, which uv then makes of links.
 * @param child the environment of every child of the daemon; a cache that its user has chosen stays
 */
export function installEnvironment(cacheDir: string, child: Readonly<Record<string, string>>): Record<string, string> {
  return { UV_CACHE_DIR: uvCacheDir(cacheDir), PIP_CACHE_DIR: join(cacheDir, 'pip'), ...child };
}
