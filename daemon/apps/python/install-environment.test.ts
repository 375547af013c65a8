import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installEnvironment, uvCacheDir } from './install-environment.ts';

test('downloads are cached in the given folder, unless the user has set another', () => {
  const own = { UV_CACHE_DIR: uvCacheDir('cache'), PIP_CACHE_DIR: join('cache', 'pip') };
  expect(installEnvironment('cache', { PATH: '/bin' })).toEqual({ ...own, PATH: '/bin' });
  expect(installEnvironment('cache', { UV_CACHE_DIR: '/elsewhere' })).toEqual({ ...own, UV_CACHE_DIR: '/elsewhere' });
});
