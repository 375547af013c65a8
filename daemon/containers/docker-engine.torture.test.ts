import { mkdtempDisposable, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../shared/clock.ts';
import { createLogger } from '../shared/logger.ts';
import { containerEngineForTests, NO_CONTAINER_ENGINE } from '../testing/containers/container-engine-for-tests.ts';
import { engineImage } from '../testing/containers/engine-images.ts';
import { startTestRegistry } from '../testing/containers/test-registry.ts';
import type { ContainerSpec, PullProgress } from './container-engine.ts';
import { ContainerEngineFinder } from './container-engine-finder.ts';
import { ContainerRegister } from './container-register.ts';
import type { ContainerEngine } from './docker-engine.ts';
import { ContainerEngineGone } from './errors.ts';

const account = { username: 'ada', password: 'a secret' };
const registry = await startTestRegistry(account);
const podman = await containerEngineForTests({ registries: [registry.host] });
const socket = podman?.socket ?? '';
const data = await mkdtempDisposable(join(tmpdir(), 'robot-desktop-containers-'));
const recordFile = join(data.path, 'containers.json');
const recorded = async () => JSON.parse(await readFile(recordFile, 'utf8')).engines;
afterAll(async () => {
  await podman?.[Symbol.asyncDispose]();
  await registry[Symbol.asyncDispose]();
  await rm(data.path, { recursive: true, force: true });
});

/** An engine as a daemon that has just started finds it. */
async function foundEngine(): Promise<ContainerEngine> {
  const log = createLogger('error');
  const register = new ContainerRegister({ file: recordFile, dataDir: data.path, log });
  const machine = { platform: 'linux', home: '/', temporary: '/', uid: 0, environment: {} } as const;
  const finder = new ContainerEngineFinder({ setting: socket, machine, register, clock: systemClock, log });
  return (await finder.find()) as ContainerEngine;
}

const spec = (given: Partial<ContainerSpec> = {}): ContainerSpec => ({
  image: engineImage('custom'),
  command: null,
  args: [],
  environment: {},
  port: 80,
  mounts: [],
  ...{ memoryBytes: null, cpus: null, gpus: 'none', devices: [], sharedMemoryBytes: null },
  bindsLowPort: true,
  owner: { endpoint: 'lab/chat', replica: 'a' },
  onLine: () => {},
  ...given,
});
const behaving = (behaviour: object) => ({ TEST_BEHAVIOUR: JSON.stringify(behaviour) });

describe.skipIf(podman === null)(podman ? 'on a real engine' : `SKIPPED: ${NO_CONTAINER_ENGINE}`, () => {
  const cli = async (...args: string[]) => (await podman?.podman(...args)) as string;
  const ours = () => cli('ps', '--all', '--quiet', '--filter', 'label=org.robot-desktop.endpoint=lab/chat');
  let engine: ContainerEngine;
  beforeAll(async () => {
    engine = await foundEngine();
  });
  afterEach(async () => {
    expect(await ours()).toBe('');
  });

  test('a container gets what it was given and nothing else, tells its lines, and is gone after its stop', async () => {
    expect(engine.label).toMatch(/^Podman \d/);
    const lines: string[] = [];
    const container = await engine.run(
      spec({
        environment: { GREETING: 'hello' },
        mounts: [{ from: import.meta.dirname, to: '/models/a:b' }],
        ...{ memoryBytes: 2 ** 28, cpus: 1.5, sharedMemoryBytes: 2 ** 25 },
        onLine: (line) => lines.push(line),
      }),
    );
    const url = `http://127.0.0.1:${container.published.port}`;
    const reported = () =>
      fetch(`${url}/--reported`).then(
        (reply) => reply.json(),
        () => null,
      );
    await expect.poll(reported).toMatchObject({
      env: { GREETING: 'hello' },
      capabilities: '400', // NET_BIND_SERVICE
      noNewPrivileges: true,
      mounts: [{ to: '/models/a:b', isReadOnly: true }],
      ...{ memoryBytes: 2 ** 28, cpus: 1.5, sharedMemoryBytes: 2 ** 25 },
    });
    const [details] = JSON.parse(await cli('inspect', container.id));
    expect(details.HostConfig).toMatchObject({ Privileged: false, RestartPolicy: { Name: 'no' } });
    expect(details.HostConfig.LogConfig.Size).toBe('10MB');
    expect(details.HostConfig.PortBindings).toEqual({
      '80/tcp': [{ HostIp: '127.0.0.1', HostPort: String(container.published.port) }],
    });
    await expect // an engine of a busy machine takes longer than the second for which it is waited
      .poll(() => container.usage())
      .toEqual({ memoryBytes: expect.any(Number), cpuSeconds: expect.any(Number) });
    expect(await recorded()).toEqual([socket]);

    await Promise.all([container.stop(2_000), container.stop(2_000)]);
    expect(await container.exited).toEqual({ code: expect.any(Number), how: 'exited', isOutOfMemory: false });
    expect(lines.join('\n')).toContain('custom is about to serve');
    expect(await recorded()).toEqual([]);
    expect(await container.usage()).toEqual({ memoryBytes: null, cpuSeconds: null });
  });

  test('a program that ends leaves its code, its last lines, and no container', async () => {
    const lines: string[] = [];
    const container = await engine.run(
      spec({ environment: behaving({ exitCode: 3 }), onLine: (line) => lines.push(line) }),
    );
    expect(await container.exited).toEqual({ code: 3, how: 'exited', isOutOfMemory: false });
    expect(lines.length).toBeGreaterThan(0);
    await container.stop(1_000);
  });

  test('a start that fails says why and what to do, and leaves nothing', async () => {
    const failureOf = (given: Partial<ContainerSpec>) => engine.run(spec(given)).catch((error: unknown) => error);
    expect(await failureOf({ command: ['/nowhere'] })).toMatchObject({ kind: 'command', action: expect.any(String) });
    expect(await failureOf({ image: 'localhost/nothing:1' })).toMatchObject({ kind: 'image' });
    expect(await failureOf({ mounts: [{ from: join(data.path, 'nothing'), to: '/models' }] })).toMatchObject({
      kind: 'mount',
    });
    expect(await failureOf({ gpus: 'all' })).toMatchObject({ kind: 'gpu' });
    expect(await recorded()).toEqual([]);
  });

  test('a container that somebody removes, and one whose engine is away, are reported as they are', async () => {
    const removed = await engine.run(spec());
    await cli('rm', '--force', '--time', '0', removed.id);
    expect(await removed.exited).toEqual({ code: null, how: 'removed', isOutOfMemory: false });
    await removed.stop(1_000);

    const [lasting, dying] = [await engine.run(spec()), await engine.run(spec())];
    const serves = () =>
      fetch(`http://127.0.0.1:${lasting.published.port}/--reported`).then(
        ({ ok }) => ok,
        () => false,
      );
    await expect.poll(serves).toBe(true);
    await podman?.stop('SIGKILL');
    onTestFinished(() => podman?.restart());
    await cli('kill', dying.id);
    expect(await dying.exited).toEqual({ code: null, how: 'engine-gone', isOutOfMemory: false });
    await dying.stop(1_000);
    await expect(engine.run(spec())).rejects.toThrow(ContainerEngineGone);
    await expect(engine.removeOrphans()).rejects.toThrow(ContainerEngineGone);
    expect(await serves()).toBe(true);
    expect(await recorded()).toEqual([socket]);

    await podman?.restart();
    expect(await engine.removeOrphans()).toBe(1);
    await lasting.stop(1_000);
    expect(await lasting.exited).toMatchObject({ how: 'exited' });
    expect(await recorded()).toEqual([]);
  });

  test('the next daemon removes what a killed one left, and nothing that is not its own', async () => {
    const left = await engine.run(spec());
    const foreign = await cli('run', '--detach', '--label', 'org.robot-desktop.data-folder=other', engineImage('tei'));
    onTestFinished(async () => void (await cli('rm', '--force', '--time', '0', foreign)));
    const after = await foundEngine();
    const kept = await after.run(spec());
    expect(await after.removeOrphans()).toBe(1);
    expect(await left.exited).toMatchObject({ how: 'removed' });
    expect((await cli('ps', '--quiet', '--no-trunc')).split('\n').sort()).toEqual([foreign, kept.id].sort());
    await kept.stop(1_000);
    expect(await recorded()).toEqual([]);
  });

  test('an image is pulled with the account of its registry, and a failure says which of its causes it has', async () => {
    const { signal } = new AbortController();
    const progress: PullProgress[] = [];
    const pull = (image: string, with_: typeof account | null = account) =>
      engine.pull(image, with_, { signal, onProgress: (each) => progress.push(each) }).catch((error: unknown) => error);
    const image = registry.image('tei');
    expect(await engine.hasImage(image)).toBe(false);
    expect(await pull(image, null)).toMatchObject({ kind: 'unauthorized' });
    expect(await pull(image, { ...account, password: 'wrong' })).toMatchObject({ kind: 'unauthorized' });
    expect(await pull(`${registry.host}/tests/other:1`)).toMatchObject({ kind: 'missing' });
    expect(await pull('127.0.0.1:9/tests/tei:1')).toMatchObject({ kind: 'unreachable' });
    expect(await pull(image)).toBeUndefined();
    expect(await engine.hasImage(image)).toBe(true);
    expect(progress.at(-1)).toMatchObject({ layersDone: progress.at(-1)?.layers });
  });

  test('a pull that is aborted ends at once, in the engine too', async () => {
    registry.misbehaviour = { pauseMs: 500 };
    onTestFinished(() => {
      registry.misbehaviour = null;
    });
    const aborting = new AbortController();
    const before = registry.requests.length;
    const pull = engine.pull(registry.image('tgi'), account, { signal: aborting.signal, onProgress: () => {} });
    pull.catch(() => {});
    await expect.poll(() => registry.requests.length).toBeGreaterThan(before);
    const reason = new Error('nobody waits for it');
    aborting.abort(reason);
    await expect(pull).rejects.toBe(reason);
    expect(await engine.hasImage(registry.image('tgi'))).toBe(false);
  });
});
