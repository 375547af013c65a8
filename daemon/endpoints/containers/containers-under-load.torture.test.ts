/**
 * Containers end, change and become fewer under load, and no request is lost that had not begun to answer. In
 * `npm run torture` alone: `replicas-under-load` tries the same on processes.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { containerEngineForTests, NO_CONTAINER_ENGINE } from '../../testing/containers/container-engine-for-tests.ts';
import { engineImage } from '../../testing/containers/engine-images.ts';
import {
  type ContainersDaemon,
  reported,
  startContainersDaemon,
  withoutModel,
} from '../../testing/endpoints/containers-daemon.ts';
import type { EndpointClient } from '../../testing/endpoints/endpoint-client.ts';
import { underLoad } from '../../testing/endpoints/under-load.ts';

const isTorture = Boolean(process.env['TORTURE_CONTAINERS']);
const engine = isTorture ? await containerEngineForTests() : null;
const NOT_HERE = isTorture ? NO_CONTAINER_ENGINE : 'tried in npm run torture alone';
const TWO = { minReplica: 2, maxReplica: 2 };
const ONE = { minReplica: 1, maxReplica: 1 };
const START = { timeout: 60_000, interval: 100 };

describe.skipIf(engine === null)(engine ? 'under load' : `SKIPPED: ${NOT_HERE}`, () => {
  let daemon: ContainersDaemon;
  let endpoint: EndpointClient;

  const url = engineImage('custom');
  const modelOf = (version: string, behaviour: object = { answerMs: 40 }) => ({
    image: { custom: { url, port: 8_000 } },
    env: { PORT: '8000', VERSION: version, TEST_BEHAVIOUR: JSON.stringify(behaviour) },
  });
  const change = async (body: object) =>
    expect(await daemon.checked.ask('PUT', `/v2/endpoint/lab/${endpoint.name}`, { body })).toMatchObject({
      status: 200,
    });
  const listed = async () => (await endpoint.own()).report.replicas.map(({ container }) => container);
  const ready = async () => (await endpoint.get()).status.readyReplica;
  const during = async (work: () => Promise<void>) => {
    const send = async () => {
      const answer = await endpoint.chat();
      await answer.text();
      return answer.status;
    };
    const statuses = await underLoad(send, work);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect((await endpoint.own()).traffic.failed).toBe(0);
  };

  beforeAll(async () => {
    if (!engine) return;
    daemon = await startContainersDaemon(engine);
    const { compute } = daemon.request('two', modelOf('1'));
    endpoint = await daemon.create('two', modelOf('1'), { ...withoutModel, compute: { ...compute, scaling: TWO } });
  });
  afterAll(async () => {
    await daemon?.[Symbol.asyncDispose]();
    await engine?.[Symbol.asyncDispose]();
  });

  test.each(['kill', 'rm --force --time 0'])('one of two is ended by podman %s', async (command) => {
    await expect.poll(ready, START).toBe(2);
    const [id] = await listed();
    await during(async () => {
      await engine?.podman(...command.split(' '), id as string);
      await expect.poll(listed, START).not.toContain(id);
      await expect.poll(ready, START).toBe(2);
    });
  });

  test('an update, and one that fails', async () => {
    const before = await listed();
    await during(async () => {
      await change({ model: modelOf('2') });
      await expect.poll(async () => (await listed()).some((id) => before.includes(id)), START).toBe(false);
      await endpoint.until('running', START.timeout);
    });
    const updated = await listed();
    await during(async () => {
      await change({ model: modelOf('3', { exitCode: 7 }) });
      await endpoint.until('updateFailed', START.timeout);
    });
    expect((await endpoint.own()).report.failure).toMatchObject({ message: expect.stringContaining('exit code 7') });
    expect((await reported(endpoint)).env['VERSION']).toBe('2');
    await change({ model: modelOf('2') });
    await endpoint.until('running', START.timeout);
    expect(new Set(await listed())).toEqual(new Set(updated));
  });

  test('fewer replicas', async () => {
    await during(async () => {
      await change({ compute: { scaling: ONE } });
      await expect.poll(listed, START).toHaveLength(1);
    });
    expect(await engine?.podman('ps', '--all', '--quiet', '--no-trunc')).toBe((await listed())[0]);
  });
});
