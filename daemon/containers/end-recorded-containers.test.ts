import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../shared/clock.ts';
import { type ScriptedDocker, startScriptedDocker } from '../testing/containers/scripted-docker.ts';
import { labels } from './container-options.ts';
import { ContainerRegister } from './container-register.ts';
import { ContainerEngineGone } from './errors.ts';
import { endRecordedContainers } from './leftover-containers.ts';

/** The record of a daemon that was killed. */
async function recordOf(engines: readonly string[]) {
  const dataDir = await mkdtemp(join(tmpdir(), 'robot-desktop-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const file = join(dataDir, 'containers.json');
  const written = JSON.stringify({ id: 'random', engines });
  await writeFile(file, written);
  const register = new ContainerRegister({ file, dataDir, log: { error: () => {} } });
  return { register, isUnchanged: async () => (await readFile(file, 'utf8')) === written };
}

async function someDocker(): Promise<ScriptedDocker> {
  const docker = await startScriptedDocker();
  onTestFinished(() => docker[Symbol.asyncDispose]());
  return docker;
}

const container = (Id: string, owner: string) => ({ Id, Names: [`/${Id}`], Labels: { [labels.owner]: owner } });

test('the containers of the data folder are removed, and no other; the record stays for one that comes late', async () => {
  const docker = await someDocker();
  const { register, isUnchanged } = await recordOf([docker.socketPath]);
  const own = await register.identity();
  const listed = [container('ours', own), container('theirs', 'other')];
  docker.answers.set('GET /containers/json', (_, response) => response.end(JSON.stringify(listed)));
  docker.answers.set('DELETE /containers/ours', (_, response) => response.writeHead(204).end());
  expect(await endRecordedContainers(register, systemClock)).toBe(1);
  expect(docker.asked).toEqual(['GET /containers/json', 'DELETE /containers/ours', 'GET /containers/ours/json']);
  expect(await isUnchanged()).toBe(true);
});

test('without containers on record no engine is asked', async () => {
  const { register } = await recordOf([]);
  expect(await endRecordedContainers(register, systemClock)).toBe(0);
});

test('an engine that is away is reported, once the others have removed theirs', async () => {
  const docker = await someDocker();
  const { register, isUnchanged } = await recordOf(['/no/engine.sock', docker.socketPath]);
  const listed = [container('ours', await register.identity())];
  docker.answers.set('GET /containers/json', (_, response) => response.end(JSON.stringify(listed)));
  docker.answers.set('DELETE /containers/ours', (_, response) => response.writeHead(204).end());
  await expect(endRecordedContainers(register, systemClock)).rejects.toThrow(ContainerEngineGone);
  expect(docker.asked).toEqual(['GET /containers/json', 'DELETE /containers/ours', 'GET /containers/ours/json']);
  expect(await isUnchanged()).toBe(true);
});
