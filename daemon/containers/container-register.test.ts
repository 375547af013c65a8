import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../shared/logger.ts';
import { ContainerRegister } from './container-register.ts';

async function newFolder() {
  const dataDir = await mkdtemp(join(tmpdir(), 'robot-desktop-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  return dataDir;
}

function registerIn(dataDir: string, recordDir = dataDir) {
  const logged: string[] = [];
  const file = join(recordDir, 'containers.json');
  const log = createLogger('error', (line) => logged.push(line));
  const register = new ContainerRegister({ file, dataDir, log });
  const recorded = async () => JSON.parse(await readFile(file, 'utf8')).engines;
  return { register, file, recorded, logged };
}

const engine = '/run/podman/podman.sock';

test('an engine is recorded before its first container, and until the last one is gone', async () => {
  const { register, recorded } = registerIn(await newFolder());
  expect(await register.leftovers()).toEqual([]);
  await register.hold(engine, 'a');
  await register.hold(engine, 'b');
  expect(await recorded()).toEqual([engine]);
  expect([register.holds('a'), register.holds('c')]).toEqual([true, false]);
  await register.release(engine, 'a', true);
  expect(await recorded()).toEqual([engine]);
  await register.release(engine, 'b', true);
  expect(await recorded()).toEqual([]);
});

test('the next daemon knows what a killed one left, under the same name', async () => {
  const dataDir = await newFolder();
  const killed = registerIn(dataDir).register;
  await killed.hold(engine, 'a');
  const { register, recorded } = registerIn(dataDir);
  expect(await register.leftovers()).toEqual([engine]);
  expect(await register.identity()).toBe(await killed.identity());
  expect(register.holds('a')).toBe(false);
  await register.clear(engine, async () => {});
  expect(await register.leftovers()).toEqual([]);
  expect(await recorded()).toEqual([]);
});

test('a container that could not be removed keeps its engine in the record', async () => {
  const { register, recorded } = registerIn(await newFolder());
  await register.hold(engine, 'a');
  await register.release(engine, 'a', false);
  expect(await recorded()).toEqual([engine]);
  expect(await register.leftovers()).toEqual([engine]);
});

test('neither a copy of the data folder nor another folder of the same path has its identity', async () => {
  const [dataDir, other] = [await newFolder(), await newFolder()];
  const { register, file } = registerIn(dataDir);
  await register.hold(engine, 'a');
  await writeFile(join(other, 'containers.json'), await readFile(file));
  const identities = [register, registerIn(other).register, registerIn(dataDir, await newFolder()).register];
  expect(new Set(await Promise.all(identities.map((each) => each.identity()))).size).toBe(3);
});

test('no container is held without a record of it', async () => {
  const dataDir = await newFolder();
  const { register } = registerIn(dataDir, join(dataDir, 'nowhere'));
  await expect(register.hold(engine, 'a')).rejects.toThrow();
  expect(register.holds('a')).toBe(false);
});
