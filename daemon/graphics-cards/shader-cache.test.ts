import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../shared/logger.ts';
import { ShaderCache } from './shader-cache.ts';

async function cacheIn(name = 'shader-cache') {
  const folder = await mkdtemp(join(tmpdir(), 'shader-cache-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const logged: string[] = [];
  const own = join(folder, name);
  return {
    folder: own,
    root: folder,
    logged,
    cache: new ShaderCache(
      own,
      createLogger('warn', (line) => logged.push(line)),
    ),
  };
}

test.runIf(process.platform === 'linux')('drivers are led to a folder for the driver, which stays', async () => {
  const { folder, cache } = await cacheIn();
  const variables = await cache.variables('one');
  const own = join(folder, 'one');
  expect(variables).toMatchObject({ MESA_SHADER_CACHE_DIR: own, __GL_SHADER_DISK_CACHE_PATH: own });
  expect(Object.values(variables).every((value) => typeof value === 'string')).toBe(true);
  expect((await stat(own)).mode & 0o777).toBe(0o700);
  await writeFile(join(own, 'compiled'), '');
  expect(await cache.variables('one')).toEqual(variables);
  expect(await readdir(own)).toEqual(['compiled']);
});

test.runIf(process.platform === 'linux')('a new driver removes what the one before has compiled', async () => {
  const { folder, cache } = await cacheIn();
  await cache.variables('one');
  await mkdir(join(folder, 'one', 'deep'));
  await cache.variables('two');
  expect(await readdir(folder)).toEqual(['two']);
});

test.runIf(process.platform === 'linux')('a folder that cannot be used leaves the drivers to their own', async () => {
  const { root, folder, logged, cache } = await cacheIn('file/shader-cache');
  await writeFile(join(root, 'file'), '');
  expect(await cache.variables('one')).toEqual({});
  expect(logged).toEqual([expect.stringContaining(`is not kept in ${join(folder, 'one')}`)]);
});
