/** The daemon is killed (SIGKILL) while it has containers; the next one removes what it left, and nothing else. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AccessTokens } from '../../access/access-tokens.ts';
import type { Hardware } from '../../contract/compute/hardware.ts';
import { systemNow } from '../../shared/clock.ts';
import { createLogger } from '../../shared/logger.ts';
import { containerEngineForTests, NO_CONTAINER_ENGINE } from '../../testing/containers/container-engine-for-tests.ts';
import { engineImage } from '../../testing/containers/engine-images.ts';
import { startTestRegistry } from '../../testing/containers/test-registry.ts';
import { type DaemonProcess, startDaemonProcess } from '../../testing/daemon/daemon-process.ts';
import { newDataDir } from '../../testing/daemon/test-daemon.ts';
import { requestOn, withoutModel } from '../../testing/endpoints/containers-daemon.ts';
import { type EndpointClient, endpointClient } from '../../testing/endpoints/endpoint-client.ts';
import { type FakeHub, startFakeHub } from '../../testing/fake-hub.ts';
import { seededRandom } from '../../testing/seeded-random.ts';

const kills = Number(process.env['TORTURE_KILLS'] ?? 1);
const seed = Number(process.env['TORTURE_SEED'] ?? 20_261_123);
const random = seededRandom(seed);
const registry = await startTestRegistry();
const engine = await containerEngineForTests({ registries: [registry.host] });

/** A container starts in this time, on a machine that is busy with other tests. */
const START_MS = 60_000;
/** Each question starts Podman. */
const SELDOM = { timeout: START_MS, interval: 500 };

interface Moment {
  readonly name: string;
  /** Brings a new endpoint to the moment of the kill. */
  readonly reach: (endpoint: EndpointClient) => Promise<unknown>;
  readonly behaviour?: object;
  readonly pulls?: boolean;
}

const moments: readonly Moment[] = [
  {
    name: 'an answer',
    behaviour: { pieces: 200, pauseMs: 20 },
    reach: async (endpoint) => {
      await endpoint.until('running', START_MS);
      const answer = await endpoint.chat({ stream: true });
      await (answer.body as ReadableStream).getReader().read();
    },
  },
  {
    name: 'the creation of its container',
    reach: async (endpoint) => {
      while (!(await endpoint.own()).report.replicas[0]) await sleep(5);
      await sleep(random() * 200);
    },
  },
  {
    name: 'the end of its container',
    behaviour: { isStubborn: true },
    reach: async (endpoint) => {
      await endpoint.until('running', START_MS);
      void endpoint.command('scale-to-zero').catch(() => {});
      await sleep(random() * 1_000);
    },
  },
  {
    name: 'the start of its program',
    behaviour: { startMs: 2_000 },
    reach: async (endpoint) => {
      while (!(await endpoint.own()).report.replicas[0]?.container) await sleep(20);
      await sleep(random() * 1_000);
    },
  },
  {
    name: 'the download of its image',
    pulls: true,
    reach: async (endpoint) => {
      registry.misbehaviour = { pauseMs: 200 };
      const before = registry.requests.length;
      while (registry.requests.length === before) await sleep(5);
      await sleep(random() * 1_000);
      void endpoint;
    },
  },
];

describe.skipIf(engine === null)(
  engine ? `${kills} kills with TORTURE_SEED=${seed}` : `SKIPPED: ${NO_CONTAINER_ENGINE}`,
  () => {
    let dataDir: string;
    let hub: FakeHub;
    let daemon: DaemonProcess;
    let token: string;
    /** A container of somebody else. */
    let foreign: string;

    const podman = async (...args: string[]) => (await engine?.podman(...args)) ?? '';
    const containers = async () =>
      (await podman('ps', '--all', '--quiet', '--no-trunc')).split('\n').filter((id) => id !== '' && id !== foreign);
    const start = () =>
      startDaemonProcess(dataDir, [
        ...['--no-wake-up-on-start', '--hub', hub.url, '--container-engine', engine?.socket as string],
      ]);
    const ask = (path: string, init: RequestInit = {}) =>
      fetch(daemon.url + path, {
        ...init,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' },
      });

    beforeAll(async () => {
      if (!engine) return;
      hub = await startFakeHub();
      dataDir = await newDataDir();
      const tokens = new AccessTokens(join(dataDir, 'tokens.json'), { log: createLogger('error'), now: systemNow });
      ({ text: token } = await tokens.create({ name: null, scopes: ['deploy'], namespaces: null }));
      foreign = await podman('run', '--detach', engineImage('custom'));
      daemon = await start();
    });
    afterAll(async () => {
      await daemon?.kill();
      await hub?.[Symbol.asyncDispose]();
      await engine?.[Symbol.asyncDispose]();
      await registry[Symbol.asyncDispose]();
      if (dataDir) await rm(dataDir, { recursive: true, force: true });
    });

    const rounds = Array.from({ length: kills }, (_, number) => ({
      number,
      ...(moments[number % moments.length] as Moment),
    }));
    test.each(rounds)(
      'kill $number, during $name',
      async ({ number, reach, behaviour = {}, pulls = false }) => {
        const hardware = (await (await ask('/v2/provider/lab')).json()) as Hardware;
        const name = `kill-${number}`;
        const url = pulls ? registry.image('custom', `tests/kill-${number}`) : engineImage('custom');
        const env = { PORT: '8000', TEST_BEHAVIOUR: JSON.stringify(behaviour) };
        const request = requestOn(hardware, name, { image: { custom: { url, port: 8_000 } }, env }, withoutModel);
        expect((await ask('/v2/endpoint/lab', { method: 'POST', body: JSON.stringify(request) })).status).toBe(200);
        await reach(endpointClient(daemon.url, token, name));
        await daemon.kill();
        registry.misbehaviour = null;
        const left = await containers();
        daemon = await start();
        await expect.poll(async () => (await containers()).filter((id) => left.includes(id)), SELDOM).toEqual([]);

        const endpoint = endpointClient(daemon.url, token, name);
        const status = async () => (await endpoint.chat().catch(() => null))?.status;
        await expect.poll(status, SELDOM).toBe(200); // the first one wakes it if it sleeps
        const listed = (await endpoint.own()).report.replicas.map(({ container }) => container);
        expect(await containers()).toEqual(listed);
        expect((await endpoint.remove()).status).toBe(200);
        expect(await containers()).toEqual([]);
        expect(await podman('inspect', '--format', '{{.State.Running}}', foreign)).toBe('true');
      },
      120_000,
    );
  },
);
