import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createLogger } from '../shared/logger.ts';
import { type ScriptedDocker, startScriptedDocker } from '../testing/containers/scripted-docker.ts';
import { manualClock } from '../testing/manual-clock.ts';
import type { ContainerSpec } from './container-engine.ts';
import { ContainerRegister } from './container-register.ts';
import { DockerEngine, STARTS_AT_ONCE } from './docker-engine.ts';
import { ContainerEngineGone } from './errors.ts';
import type { EngineFacts } from './finding/engine-facts.ts';

let docker: ScriptedDocker;
beforeEach(async () => {
  docker = await startScriptedDocker();
});
afterEach(() => docker[Symbol.asyncDispose]());

async function setup() {
  const data = await mkdtempDisposable(join(tmpdir(), 'robot-desktop-engine-'));
  onTestFinished(() => data.remove());
  const log = createLogger('error', () => {});
  const register = new ContainerRegister({ file: join(data.path, 'containers.json'), dataDir: data.path, log });
  const facts: EngineFacts = {
    ...{
      label: 'Docker 27.3.1',
      kind: 'docker' as const,
      isRootless: false,
      gpu: null,
      usesSelinux: false,
      countsFiles: false,
    },
    limits: { memory: true, cpu: true },
  };
  const clock = manualClock();
  const engine = new DockerEngine({ place: { socketPath: docker.socketPath }, facts, register, clock, log });
  return { engine, register, clock };
}

const spec: ContainerSpec = {
  ...{ image: 'ghcr.io/lab/server:1', command: null, args: [], environment: {}, port: 80, mounts: [] },
  ...{ memoryBytes: null, cpus: null, gpus: 'none', devices: [], sharedMemoryBytes: null, bindsLowPort: true },
  ...{ owner: { endpoint: 'lab/chat', replica: 'a' }, onLine: () => {} },
};

test('an image is here, or is not', async () => {
  const { engine } = await setup();
  docker.answers.set('GET /images/ghcr.io/lab/server:1/json', (_, response) => response.end('{}'));
  expect(await engine.hasImage('ghcr.io/lab/server:1')).toBe(true);
  expect(await engine.hasImage('ghcr.io/lab/server:2')).toBe(false);
});

test('an engine that hangs keeps no connection of a question about an image', async () => {
  const { engine, clock } = await setup();
  const connection = docker.hang('GET /images/');
  const failed = engine.hasImage('ghcr.io/lab/server:1').catch((error: unknown) => error);
  await connection.asked;
  await clock.advance(5_000);
  expect(await failed).toBeInstanceOf(ContainerEngineGone);
  await connection.closed;
});

test('an engine that broke off at a creation stays recorded: it may create the container later', async () => {
  const { engine, register } = await setup();
  docker.answers.set('POST /containers/create', (_, response) => void response.destroy());
  await expect(engine.run(spec)).rejects.toThrow(ContainerEngineGone);
  expect(docker.asked).toContainEqual(expect.stringMatching(/^DELETE \/containers\/robot-desktop-/));
  expect(await register.leftovers()).toEqual([docker.socketPath]);
});

test('starts wait for one another, since many at once hold up an engine', async () => {
  const { engine } = await setup();
  const creations: (() => void)[] = [];
  docker.answers.set('POST /containers/create', (_, response) => {
    creations.push(() => response.writeHead(500).end(JSON.stringify({ message: 'no space' })));
  });
  const runs = Array.from({ length: STARTS_AT_ONCE + 1 }, () => engine.run(spec).catch(() => {}));
  await vi.waitFor(() => expect(creations).toHaveLength(STARTS_AT_ONCE));
  await engine.hasImage('ghcr.io/lab/server:1'); // a later request is answered before the one that waits
  expect(creations).toHaveLength(STARTS_AT_ONCE);
  creations[0]?.();
  await vi.waitFor(() => expect(creations).toHaveLength(STARTS_AT_ONCE + 1));
  for (const end of creations.slice(1)) end();
  await Promise.all(runs);
});

test('a container that cannot be removed during the removal of others stays recorded', async () => {
  const { engine, register } = await setup();
  await register.hold(docker.socketPath, 'a');
  docker.answers.set('GET /containers/json', (_, response) => {
    void register.release(docker.socketPath, 'a', false).then(() => response.end('[]'));
  });
  expect(await engine.removeOrphans()).toBe(0);
  expect(await register.leftovers()).toEqual([docker.socketPath]);
  docker.answers.set('GET /containers/json', (_, response) => response.end('[]'));
  expect(await engine.removeOrphans()).toBe(0);
  expect(await register.leftovers()).toEqual([]);
});
