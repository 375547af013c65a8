import { setTimeout as sleep } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import type { Hardware } from '../../contract/compute/hardware.ts';
import type { TestContainerEngine } from '../containers/container-engine.ts';
import { containerEngineForTests, NO_CONTAINER_ENGINE } from '../containers/container-engine-for-tests.ts';
import { engineImage } from '../containers/engine-images.ts';
import { startTestRegistry, type TestRegistry } from '../containers/test-registry.ts';
import { requestOn, withoutModel } from '../endpoints/containers-daemon.ts';
import type { EndpointClient } from '../endpoints/endpoint-client.ts';
import { DaemonToKill } from './daemon-to-kill.ts';
import type { KilledProgram, KilledWork } from './killed-work.ts';

/** A container starts in this time, on a machine that is busy with other tests. */
const START_MS = 60_000;
/** Each question starts Podman. */
const SELDOM = { timeout: START_MS, interval: 500 };

interface Moment {
  /** Brings a new endpoint to the moment of the kill. */
  readonly reach: (endpoint: EndpointClient, random: () => number, registry: TestRegistry) => Promise<unknown>;
  readonly behaviour?: object;
  readonly pulls?: boolean;
}

const moments: Readonly<Record<string, Moment>> = {
  'an answer': {
    behaviour: { pieces: 200, pauseMs: 20 },
    reach: async (endpoint) => {
      await endpoint.until('running', START_MS);
      const answer = await endpoint.chat({ stream: true });
      await (answer.body as ReadableStream).getReader().read();
    },
  },
  'the creation of its container': {
    reach: async (endpoint, random) => {
      await vi.waitFor(async () => expect((await endpoint.own()).report.replicas).not.toEqual([]), { interval: 5 });
      await sleep(random() * 200);
    },
  },
  'the end of its container': {
    behaviour: { isStubborn: true },
    reach: async (endpoint, random) => {
      await endpoint.until('running', START_MS);
      void endpoint.command('scale-to-zero').catch(() => {});
      await sleep(random() * 1_000);
    },
  },
  'the start of its program': {
    behaviour: { startMs: 2_000 },
    reach: async (endpoint, random) => {
      const container = async () => (await endpoint.own()).report.replicas[0]?.container;
      await vi.waitFor(async () => expect(await container()).toBeTruthy(), { timeout: START_MS, interval: 20 });
      await sleep(random() * 1_000);
    },
  },
  'the download of its image': {
    pulls: true,
    reach: async (_, random, registry) => {
      registry.misbehaviour = { pauseMs: 200 };
      const before = registry.requests.length;
      await vi.waitFor(() => expect(registry.requests.length).toBeGreaterThan(before), { interval: 5 });
      await sleep(random() * 1_000);
    },
  },
};

/** A daemon has containers: its guardian or the next daemon removes what it left, and nothing else. */
export const containers: KilledWork = {
  name: 'a daemon with containers',
  parts: Object.keys(moments),
  kills: 1,
  begin: async () => {
    const registry = await startTestRegistry();
    const engine = await containerEngineForTests({ registries: [registry.host] });
    if (engine === null) {
      await registry[Symbol.asyncDispose]();
      return NO_CONTAINER_ENGINE;
    }
    const foreign = await engine.podman('run', '--detach', engineImage('custom'));
    const daemon = await DaemonToKill.begin(['--container-engine', engine.socket]);
    return new KilledContainers(registry, engine, foreign, daemon);
  },
};

class KilledContainers implements KilledProgram {
  readonly #registry: TestRegistry;
  readonly #engine: TestContainerEngine;
  /** A container of somebody else. */
  readonly #foreign: string;
  readonly #daemon: DaemonToKill;

  constructor(registry: TestRegistry, engine: TestContainerEngine, foreign: string, daemon: DaemonToKill) {
    this.#registry = registry;
    this.#engine = engine;
    this.#foreign = foreign;
    this.#daemon = daemon;
  }

  async kill(part: string, number: number, random: () => number): Promise<string> {
    const { reach, behaviour = {}, pulls = false } = moments[part] as Moment;
    const [daemon, registry] = [this.#daemon, this.#registry];
    const hardware = (await (await daemon.ask('GET', '/v2/provider/lab')).json()) as Hardware;
    const name = `kill-${number}`;
    const url = pulls ? registry.image('custom', `tests/kill-${number}`) : engineImage('custom');
    const env = { PORT: '8000', TEST_BEHAVIOUR: JSON.stringify(behaviour) };
    const request = requestOn(hardware, name, { image: { custom: { url, port: 8_000 } }, env }, withoutModel);
    expect((await daemon.ask('POST', '/v2/endpoint/lab', request)).status).toBe(200);
    await reach(daemon.endpoint(name), random, registry);
    // In turn: the guardian removes them, or the next daemon does.
    if (number % 2 === 0) await daemon.killWithGuardian();
    else await daemon.kill();
    registry.misbehaviour = null;
    const left = await this.#containers();
    await daemon.next();
    await vi.waitFor(
      async () => expect((await this.#containers()).filter((id) => left.includes(id))).toEqual([]),
      SELDOM,
    );

    const endpoint = daemon.endpoint(name);
    // The first one wakes it if it sleeps.
    await vi.waitFor(async () => expect((await endpoint.chat()).status).toBe(200), SELDOM);
    const listed = (await endpoint.own()).report.replicas.map(({ container }) => container);
    expect(await this.#containers()).toEqual(listed);
    expect((await endpoint.remove()).status).toBe(200);
    expect(await this.#containers()).toEqual([]);
    expect(await this.#engine.podman('inspect', '--format', '{{.State.Running}}', this.#foreign)).toBe('true');
    return `${part}, ${left.length} left`;
  }

  async #containers(): Promise<string[]> {
    const ids = await this.#engine.podman('ps', '--all', '--quiet', '--no-trunc');
    return ids.split('\n').filter((id) => id !== '' && id !== this.#foreign);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const each of [this.#daemon, this.#engine, this.#registry]) await each[Symbol.asyncDispose]();
  }
}
