import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installEnvironment, uvCacheDir } from './uv-and-pip.ts';

const never = { UV_PYTHON_DOWNLOADS: 'never' };

test('uv downloads no Python of its own accord, whatever the user has set', () => {
  expect(installEnvironment('cache', { UV_PYTHON_DOWNLOADS: 'automatic' })).toMatchObject(never);
});

test('downloads are cached in the given folder, unless the user has set another', () => {
  const own = { UV_CACHE_DIR: uvCacheDir('cache'), PIP_CACHE_DIR: join('cache', 'pip'), ...never };
  expect(installEnvironment('cache', { PATH: '/bin' })).toEqual({ ...own, PATH: '/bin' });
  expect(installEnvironment('cache', { UV_CACHE_DIR: '/elsewhere' })).toEqual({ ...own, UV_CACHE_DIR: '/elsewhere' });
});
