import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLogger } from '../shared/logger.ts';
import { type ScriptedDocker, startScriptedDocker } from '../testing/containers/scripted-docker.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { ContainerEngineFinder } from './container-engine-finder.ts';
import { ContainerRegister } from './container-register.ts';

let docker: ScriptedDocker;
beforeEach(async () => {
  docker = await startScriptedDocker();
});
afterEach(() => docker[Symbol.asyncDispose]());

function finderWith(setting: string | null, environment: Record<string, string> = {}) {
  const clock = manualClock();
  const log = createLogger('error');
  // A system without usual places that exist on the machine of the tests.
  const machine = { platform: 'win32', home: 'C:\\ada', temporary: 'C:\\', uid: null, environment } as const;
  const register = new ContainerRegister({ file: '/nowhere/containers.json', dataDir: '/nowhere', log });
  return { finder: new ContainerEngineFinder({ setting, machine, register, clock, log }), clock };
}

test('the engine of the setting is found, and nothing is loaded that runs containers', async () => {
  const { finder } = finderWith(docker.socketPath);
  expect(await finder.status()).toEqual({
    ...{ label: 'Docker 27.3.1', socket: docker.socketPath, isRootless: false, hasGpu: false },
    ...{ problem: null, action: null, command: null },
  });
  expect((await finder.find())?.label).toBe('Docker 27.3.1');
  expect(docker.asked).toEqual(['GET /_ping', 'GET /info']);
});

test('an engine that ends is missed at once, and found again after it was started', async () => {
  const { finder, clock } = finderWith(docker.socketPath);
  expect(await finder.find()).not.toBeNull();
  await docker.end();
  expect(await finder.find()).toBeNull();
  expect(await finder.status()).toMatchObject({
    label: null,
    problem: `No container engine answers at ${docker.socketPath}, which the option --container-engine names.`,
    action: 'Start that engine, or start the daemon without this option.',
  });
  await docker.listen();
  expect(await finder.find()).toBeNull();
  await clock.advance(5_000);
  expect(await finder.find()).not.toBeNull();
});

test('a variable names the engine, and one of another machine is passed over with a reason', async () => {
  const named = finderWith(null, { DOCKER_HOST: `unix://${docker.socketPath}` }).finder;
  expect((await named.status()).socket).toBe(docker.socketPath);
  const remote = finderWith(null, { DOCKER_HOST: 'ssh://lab.example', PATH: '' }).finder;
  expect((await remote.status()).problem).toBe(
    'DOCKER_HOST names an engine of another machine. Endpoints run in containers of this one only.',
  );
});

test('with the setting "none" nothing is asked', async () => {
  const { finder } = finderWith('none', { DOCKER_HOST: `unix://${docker.socketPath}` });
  expect(await finder.find()).toBeNull();
  expect((await finder.status()).problem).toBe('Containers are switched off by the option --container-engine none.');
  expect(docker.asked).toEqual([]);
  expect(await finder.engineAt(docker.socketPath)).not.toBeNull();
});

test('an engine that is too old says so, and a refresh looks again', async () => {
  const { finder } = finderWith(docker.socketPath);
  const headers = { server: 'Docker/18.06.0 (linux)', 'api-version': '1.38' };
  const modern = docker.answers.get('GET /_ping');
  docker.answers.set('GET /_ping', (_, response) => response.writeHead(200, headers).end('OK'));
  expect((await finder.status()).problem).toBe('Docker 18.06.0 is too old.');
  if (modern) docker.answers.set('GET /_ping', modern);
  finder.refresh();
  expect((await finder.status()).label).toBe('Docker 27.3.1');
});
