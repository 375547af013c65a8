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
  const { variables } = await cache.of('one');
  const own = join(folder, 'one');
  expect(variables).toMatchObject({ MESA_SHADER_CACHE_DIR: own, __GL_SHADER_DISK_CACHE_PATH: own });
  expect(Object.values(variables).every((value) => typeof value === 'string')).toBe(true);
  expect((await stat(own)).mode & 0o777).toBe(0o700);
  await writeFile(join(own, 'compiled'), '');
  expect((await cache.of('one')).variables).toEqual(variables);
  expect(await readdir(own)).toEqual(['compiled']);
});

test('a new driver removes what the one before has compiled', async () => {
  const { folder, cache } = await cacheIn();
  const one = await cache.of('one');
  await one.add('a model');
  await mkdir(join(folder, 'one', 'deep'));
  const two = await cache.of('two');
  expect([await readdir(folder), await two.has('a model')]).toEqual([['two'], false]);
});

test('a folder that cannot be used leaves the drivers to their own', async () => {
  const { root, folder, logged, cache } = await cacheIn('file/shader-cache');
  await writeFile(join(root, 'file'), '');
  const { variables, has, add } = await cache.of('one');
  await add('a model');
  expect([variables, await has('a model')]).toEqual([{}, false]);
  expect(logged).toEqual([expect.stringContaining(`is not kept in ${join(folder, 'one')}`)]);
});

test('a model is known once it was prepared, also after a restart, until there are far too many', async () => {
  const { cache } = await cacheIn();
  const shaders = await cache.of('one');
  expect(await shaders.has('model 0')).toBe(false);
  await shaders.add('model 0');
  const later = await cache.of('one');
  expect([await later.has('model 0'), await later.has('model 1')]).toEqual([true, false]);
  for (let number = 1; number < 200; number++) await later.add(`model ${number}`);
  expect([await later.has('model 0'), await later.has('model 199')]).toEqual([true, true]);
  await later.add('model 200');
  expect([await later.has('model 0'), await later.has('model 200')]).toEqual([false, true]);
});

test('a model that cannot be kept is prepared anew', async () => {
  const { folder, cache, logged } = await cacheIn();
  const shaders = await cache.of('one');
  await writeFile(join(folder, 'one', 'models'), '');
  await shaders.add('a model');
  expect([await shaders.has('a model'), logged]).toEqual([false, [expect.stringContaining('is not kept')]]);
});
