/** Endpoints stay true to their containers while the container engine, or somebody else, changes those. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { containerEngineForTests, NO_CONTAINER_ENGINE } from '../../testing/containers/container-engine-for-tests.ts';
import { engineImage } from '../../testing/containers/engine-images.ts';
import {
  behave,
  type ContainersDaemon,
  startContainersDaemon,
  withoutModel,
} from '../../testing/endpoints/containers-daemon.ts';
import type { EndpointClient } from '../../testing/endpoints/endpoint-client.ts';
import { MAX_RESTARTS } from '../replicas/plan.ts';

const engine = await containerEngineForTests();
const START_MS = 60_000;
/** Cases that take a minute, or are much like the rest, are tried in `npm run torture` alone. */
const isTorture = Boolean(process.env['TORTURE_CONTAINERS']);
/** The state is true within 5 s, where no other test keeps the machine busy. */
const TRUE_WITHIN = { timeout: isTorture ? 5_000 : 25_000, interval: 50 };
/** Each question starts Podman. */
const SELDOM = { timeout: START_MS, interval: 500 };

describe.skipIf(engine === null)(engine ? 'a container' : `SKIPPED: ${NO_CONTAINER_ENGINE}`, () => {
  let daemon: ContainersDaemon;
  let endpoint: EndpointClient;
  let count = 0;

  beforeAll(async () => {
    if (engine) daemon = await startContainersDaemon(engine);
  });
  afterEach(async () => {
    await engine?.restart();
    await endpoint.remove();
    await expect.poll(containers, SELDOM).toEqual([]); // what an engine kept while it was away goes once it is back
  });
  afterAll(async () => {
    await daemon?.[Symbol.asyncDispose]();
    await engine?.[Symbol.asyncDispose]();
  });

  const podman = async (...args: string[]) => (await engine?.podman(...args)) ?? '';
  /** The ids of all containers, those that have ended too. */
  const containers = async () => (await podman('ps', '--all', '--quiet', '--no-trunc')).split('\n').filter(Boolean);
  const served = async (behaviour: object = {}): Promise<string> => {
    const image = { custom: { url: engineImage('custom'), port: 8_000 } };
    const env = { PORT: '8000', TEST_BEHAVIOUR: JSON.stringify(behaviour) };
    count += 1;
    endpoint = await daemon.create(`served-${count}`, { image, env }, withoutModel);
    await endpoint.until('running', START_MS);
    return (await listed())[0] as string;
  };
  /** The containers of the replicas that the daemon lists. */
  const listed = async () => (await endpoint.own()).report.replicas.map(({ container }) => container);
  /** Resolves with the id of the container that took the place of one. */
  const replaced = async (id: string): Promise<string> => {
    await expect.poll(listed, TRUE_WITHIN).not.toContain(id);
    await endpoint.until('running', START_MS);
    const [now = ''] = (await listed()) as string[];
    expect(now).not.toBe(id);
    expect((await endpoint.chat()).status).toBe(200);
    await expect.poll(containers, SELDOM).toEqual([now]);
    return now;
  };

  test('that somebody removed is replaced', async () => {
    const id = await served();
    await podman('rm', '--force', '--time', '0', id);
    await replaced(id);
  });

  test.runIf(isTorture)('that somebody killed is removed and replaced', async () => {
    const id = await served();
    await podman('kill', id);
    await replaced(id);
  });

  test('whose program ended is removed and replaced', async () => {
    const id = await served();
    await behave(endpoint, { exitCode: 3 });
    await replaced(id);
  });

  test.runIf(isTorture)('that was paused by somebody is removed and replaced', async () => {
    const id = await served();
    await vi.waitFor(() => podman('pause', id), SELDOM); // runc gives up on a busy machine: "unable to freeze"
    await replaced(id);
  });

  test('answers on while its engine does not, and is the same afterwards', async () => {
    const id = await served();
    await engine?.stop('SIGKILL');
    expect((await endpoint.chat()).status).toBe(200);
    await engine?.restart();
    expect((await endpoint.chat()).status).toBe(200);
    expect(await listed()).toEqual([id]);
  });

  test('that ended while its engine was away is replaced once the engine is back', async () => {
    const id = await served();
    await engine?.stop();
    await podman('kill', id);
    await expect.poll(async () => (await endpoint.get()).status, TRUE_WITHIN).toMatchObject({ readyReplica: 0 });
    await expect.poll(async () => (await endpoint.own()).report.progress?.steps[0]?.title).toBe('Wait for the engine');
    await engine?.restart();
    await replaced(id);
  });

  test.runIf(isTorture)('that ignores the wish to end is ended, and removed', async () => {
    await served({ isStubborn: true });
    expect((await endpoint.command('pause')).status).toBe(200);
    await expect.poll(containers, SELDOM).toEqual([]);
    expect((await endpoint.get()).status.state).toBe('paused');
  });

  test.runIf(isTorture)(
    'that takes more memory than it may, again and again, fails for want of it',
    async () => {
      await served();
      for (let ends = 0; ends <= MAX_RESTARTS; ends += 1) {
        await endpoint.until('running', START_MS);
        const [id = ''] = (await listed()) as string[];
        await podman('update', '--memory', '128m', id);
        await behave(endpoint, { memoryBytes: 256 * 2 ** 20 }).catch(() => {});
        await expect.poll(listed, TRUE_WITHIN).not.toContain(id);
      }
      await expect.poll(async () => (await endpoint.own()).report.failure).toMatchObject({ reason: 'no-memory' });
    },
    180_000,
  );
});
