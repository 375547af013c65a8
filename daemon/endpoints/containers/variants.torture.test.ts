/** Every kind of image with an engine's container, through the daemon, on a real container engine with images of the tests. */
import { totalmem } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { containerEngineForTests, NO_CONTAINER_ENGINE } from '../../testing/containers/container-engine-for-tests.ts';
import { type EngineVariant, engineVariants } from '../../testing/containers/engine-images.ts';
import type { EngineReport } from '../../testing/containers/image/report.ts';
import { startTestRegistry } from '../../testing/containers/test-registry.ts';
import {
  account,
  ownArguments,
  ownSecrets,
  ownVariables,
  variantCases,
  vendorImages,
} from '../../testing/containers/variant-cases.ts';
import {
  type ContainersDaemon,
  reported,
  startContainersDaemon,
  withoutModel,
} from '../../testing/endpoints/containers-daemon.ts';
import type { EndpointClient } from '../../testing/endpoints/endpoint-client.ts';
import { readContainerImages } from './container-images.ts';

const registry = await startTestRegistry(account);
const engine = await containerEngineForTests({ registries: [registry.host] });
const cases = variantCases(registry.image('custom'));
/** A container starts in this time, on a machine that is busy with other tests. */
const START_MS = 90_000;
const DEFAULT_SHARED_BYTES = 62.5 * 2 ** 20;
/** Set by the image and the engine. */
const GIVEN = ['PATH', 'HOME', 'HOSTNAME', 'TERM', 'container', 'TEST_ENGINE'];
/** The capability to bind a port below 1024, alone. */
const BINDS_LOW_PORTS = '400';

describe.skipIf(engine === null)(engine ? 'in a container' : `SKIPPED: ${NO_CONTAINER_ENGINE}`, () => {
  let daemon: ContainersDaemon;
  const endpoints = new Map<EngineVariant, EndpointClient>();

  beforeAll(async () => {
    if (!engine) return;
    const images = await readContainerImages('assets/runtimes/container-images.json');
    for (const [variant, url] of Object.entries(vendorImages)) {
      const image = images.get(url.replace('engines/', ''))?.image as string;
      await engine.nameImages({ [image]: variant as EngineVariant });
    }
    daemon = await startContainersDaemon(engine);
    for (const { variant, model } of cases) {
      const own = { args: ownArguments, env: ownVariables, secrets: ownSecrets };
      endpoints.set(variant, await daemon.create(variant.toLowerCase(), { ...own, ...model }));
    }
  });
  afterAll(async () => {
    await daemon?.[Symbol.asyncDispose]();
    await engine?.[Symbol.asyncDispose]();
    await registry[Symbol.asyncDispose]();
  });

  test('there is a case for each kind of image', () => {
    expect(cases.map(({ variant }) => variant)).toEqual(engineVariants);
  });

  test.each(cases)('$variant gets its settings, model and limits, and answers', async (wanted) => {
    const { variant, model, mounts, port } = wanted;
    const endpoint = endpoints.get(variant) as EndpointClient;
    await endpoint.until('running', START_MS);
    const { report } = await endpoint.own();
    expect(report).toMatchObject({ runtime: expect.stringMatching(/^Podman \d/), progress: null, failure: null });
    expect(report.replicas).toMatchObject([{ pid: null, container: expect.any(String), state: 'ready' }]);

    const seen = await reported(endpoint);
    const { memoryBytes, cpus } = seen;
    expect(memoryBytes).toBeGreaterThan(0);
    expect(memoryBytes).toBeLessThanOrEqual(totalmem());
    const threads = String(cpus);
    expect(cpus).toBeGreaterThanOrEqual(1);
    const numbered = (text: string) => (text === 'N' ? threads : text);
    const own = { ...(model.env ?? ownVariables), ...(model.secrets ?? ownSecrets) } as Record<string, string>;
    expect({ ...seen, env: withoutGiven(seen.env) }).toEqual({
      engine: variant,
      argv: wanted.argv.map(numbered),
      env: { ...own, ...Object.fromEntries(Object.entries(wanted.env).map(([name, text]) => [name, numbered(text)])) },
      uid: 0,
      capabilities: port < 1_024 ? BINDS_LOW_PORTS : '0',
      noNewPrivileges: true,
      mounts: mounts.map((to) => ({ to, isReadOnly: true })),
      ...{ memoryBytes, cpus, sharedMemoryBytes: wanted.sharedMemoryBytes ?? DEFAULT_SHARED_BYTES },
    } satisfies EngineReport);

    const answer = await endpoint.ask(wanted.path, { method: 'POST', body: JSON.stringify(wanted.body) });
    expect(await answer.text()).toContain(wanted.answer);
    expect(answer.status).toBe(200);
    expect((await endpoint.ask('/v1/models', { headers: { authorization: '' } })).status).toBe(401);
  });

  test('containers are published on 127.0.0.1 alone, and have no privilege and no restart of their own', async () => {
    const ids = (await engine?.podman('ps', '--quiet'))?.split('\n') ?? [];
    expect(ids).toHaveLength(cases.length);
    const inspected = JSON.parse((await engine?.podman('inspect', ...ids)) as string) as Inspected[];
    const names = [...endpoints.values()].map(({ name }) => `lab/${name}`);
    for (const { HostConfig, NetworkSettings, Config, EffectiveCaps } of inspected) {
      const published = Object.values(NetworkSettings.Ports).flatMap((bindings) => bindings ?? []);
      expect(published.map(({ HostIp }) => HostIp)).toEqual(['127.0.0.1']);
      expect(HostConfig).toMatchObject({ Privileged: false, PidMode: 'private', NetworkMode: 'bridge' });
      expect(HostConfig.RestartPolicy.Name).toMatch(/^(no)?$/);
      expect(HostConfig.SecurityOpt).toContain('no-new-privileges');
      expect(EffectiveCaps ?? []).not.toContain('CAP_SYS_ADMIN');
      expect(names).toContain(Config.Labels['org.robot-desktop.endpoint']);
    }
  });

  test('the account of a registry is sent to it alone, and its password is never shown', async () => {
    expect(registry.randomLayersSent).toBe(1);
    const basic = `Basic ${Buffer.from(`${account.username}:${account.password}`).toString('base64')}`;
    expect(registry.requests.map(({ authorization }) => authorization)).toContain(basic);
    const endpoint = endpoints.get('custom') as EndpointClient;
    expect((await endpoint.get()).model.image).toMatchObject({
      custom: { credentials: { username: 'ada', password: null } },
    });
    expect(JSON.stringify([await endpoint.own(), await reported(endpoint)])).not.toContain(account.password);
  });

  test.each([
    { what: 'another password', image: registry.image('custom', 'tests/refused'), password: 'another' },
    { what: 'an image that is not there', image: `${registry.host}/tests/none:1`, password: account.password },
  ])('with $what, an endpoint says why it fails', async ({ image, password }) => {
    const credentials = { username: account.username, password };
    const endpoint = await daemon.create('refused', { image: { custom: { url: image, credentials } } });
    await expect(endpoint.until('running')).rejects.toThrow(/is failed/);
    const { report } = await endpoint.own();
    expect(report.failure).toMatchObject({ reason: 'image', message: expect.stringContaining(image) });
    expect(report.failure?.action).not.toBe('');
    expect(JSON.stringify(report)).not.toContain(password);
    await endpoint.remove();
  });

  test('an engine that downloads its model by itself gets the name, and no files', async () => {
    const image = { vLLM: { url: vendorImages.vLLM } };
    const endpoint = await daemon.create('by-itself', { image, revision: 'main' }, withoutModel);
    await endpoint.until('running', START_MS);
    const { argv, mounts } = await reported(endpoint);
    expect(mounts).toEqual([]);
    expect(argv.slice(1, 5)).toEqual(['serve', 'ada/Tiny', '--revision', 'main']);
    await endpoint.remove();
  });

  test('an endpoint that is deleted leaves no container', async () => {
    const removed = await Promise.all([...endpoints.values()].map((endpoint) => endpoint.remove()));
    expect(removed.map(({ status }) => status)).toEqual(cases.map(() => 200));
    expect(await engine?.podman('ps', '--all', '--quiet')).toBe('');
  });
});

const withoutGiven = (env: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(env).filter(([name, text]) => !GIVEN.includes(name) || text === '0.0.0.0'));

/** The parts of Podman's description of a container that say what it may do. */
interface Inspected {
  readonly EffectiveCaps: readonly string[] | null;
  readonly Config: { readonly Labels: Readonly<Record<string, string>> };
  readonly NetworkSettings: { readonly Ports: Readonly<Record<string, readonly { readonly HostIp: string }[] | null>> };
  readonly HostConfig: {
    readonly Privileged: boolean;
    readonly PidMode: string;
    readonly NetworkMode: string;
    readonly RestartPolicy: { readonly Name: string };
    readonly SecurityOpt: readonly string[];
  };
}
