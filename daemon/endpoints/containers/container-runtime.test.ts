import { expect, test } from 'vitest';
import { ContainerEngineGone, ContainerStartFailed, ImagePullFailed } from '../../containers/errors.ts';
import type { ContainerEngineStatus } from '../../contract/endpoints/runtimes.ts';
import { type ScriptedEngine, scriptedEngine } from '../../testing/containers/scripted-engine.ts';
import { manualClock } from '../../testing/manual-clock.ts';
import { partsNamed } from '../../testing/models/some-endpoints.ts';
import type { EndpointParts } from '../description/endpoint-parts.ts';
import { ContainerRuntime } from './container-runtime.ts';

const IMAGE = 'docker.io/ada/serve:1';
const answers: ContainerEngineStatus = {
  ...{
    label: 'Scripted 1.0',
    socket: '/s',
    isRootless: false,
    hasGpu: false,
    problem: null,
    action: null,
    command: null,
  },
};

const missing = { label: null, problem: 'No container engine is installed.', action: 'Install Podman.' };

function partsOn(accelerator: EndpointParts['compute']['accelerator'] = 'cpu', custom: object = {}): EndpointParts {
  const plain = partsNamed('chat', {
    model: {
      framework: 'custom',
      repository: 'ada/tiny',
      args: ['--fast'],
      image: { custom: { url: IMAGE, port: 9_000, ...custom } },
    },
  });
  return { ...plain, compute: { ...plain.compute, accelerator } };
}

function begin({ engine = scriptedEngine(), status = answers, neuronDevices = [] as string[] } = {}) {
  const clock = manualClock();
  const found: { engine: ScriptedEngine | null; looks: number } = { engine, looks: 0 };
  const runtime = new ContainerRuntime({
    ...{ clock, status, neuronDevices, images: new Map(), memoryBytes: () => 2e9 },
    finder: {
      status: async () => (found.engine === null ? { ...answers, ...missing } : answers),
      find: async () => found.engine,
      refresh: () => {
        found.looks++;
      },
    },
  });
  const progress: unknown[][] = [];
  const report = {
    at: (...at: unknown[]) => void progress.push(at),
    downloaded: (...at: unknown[]) => void progress.push(at),
  };
  const ended = new AbortController();
  const fetch = (parts = partsOn(), imagePassword: string | null = null) =>
    runtime.fetch({ parts, imagePassword, signal: ended.signal, report });
  const start = (parts = partsOn()) =>
    runtime.start({
      ...{ id: 'r1', endpoint: 'lab/chat', parts, variables: { TOKEN: 'secret' }, socketPath: '/unused', threads: 3 },
      ...{ card: null, onLine: () => {} },
      model: { kind: 'repository', folder: '/models/ada--tiny/c1' },
    });
  return { clock, found, engine, runtime, progress, ended, fetch, start };
}

test('a replica runs in a container with the limits of this machine, and is reached at its port', async () => {
  const { engine, start } = begin();
  const replica = await start();
  expect(replica).toMatchObject({
    ...{ pid: null, container: 'container-1', address: { host: '127.0.0.1', port: 1 }, healthRoute: '/health' },
  });
  expect(engine.containers[0]?.spec).toMatchObject({
    ...{ image: IMAGE, port: 9_000, memoryBytes: 2e9, cpus: 3, gpus: 'none', devices: [] },
    environment: { TOKEN: 'secret' },
    mounts: [{ from: '/models/ada--tiny/c1', to: '/repository' }],
    owner: { endpoint: 'lab/chat', replica: 'r1' },
  });
  expect([await replica.memoryBytes(), await replica.cpuSeconds()]).toEqual([5_000_000, 2]);
  engine.containers[0]?.spec.onLine('it listens', false);
  expect(replica.log).toEqual(['it listens']);
});

test('the log keeps what a server writes of requests, but for good answers at its health route', async () => {
  const { engine, start } = begin();
  const replica = await start();
  const lines = [
    'INFO:     127.0.0.1:51234 - "GET /health HTTP/1.1" 200 OK', // as uvicorn writes it
    '127.0.0.1 - - [27/Nov/2026:20:00:00 +0000] "GET /health HTTP/1.1" 200 2 "-" "-"', // as most web servers do
    'INFO:     127.0.0.1:51234 - "GET /health HTTP/1.1" 503 Service Unavailable',
    'INFO:     127.0.0.1:51234 - "GET /health/more HTTP/1.1" 200 OK',
    'INFO:     127.0.0.1:51234 - "POST /v1/chat/completions HTTP/1.1" 200 OK',
  ];
  for (const line of lines) engine.containers[0]?.spec.onLine(line, false);
  expect(replica.log).toEqual(lines.slice(2));
});

test('a stop removes the container, and is no failure', async () => {
  const { engine, start } = begin();
  const replica = await start();
  await Promise.all([replica.stop(), replica.stop()]);
  expect(engine.containers[0]?.isStopped).toBe(true);
  expect([await replica.isHealthy(5_000), await replica.memoryBytes()]).toEqual([false, null]);
});

test('a container that somebody removed says so', async () => {
  const { engine, start } = begin();
  const replica = await start();
  engine.containers[0]?.end({ how: 'removed', code: null });
  expect(await replica.exited).toMatchObject({ reason: 'container-engine' });
});

test.each([
  [false, 'crashed'],
  [true, 'no-memory'],
])(
  'a container that is killed with little memory in use, for want of memory as its engine says %j: %s',
  async (isOutOfMemory, reason) => {
    const { engine, start } = begin();
    const replica = await start();
    expect(await replica.memoryBytes()).toBe(5_000_000);
    engine.containers[0]?.end({ code: 137, isOutOfMemory });
    expect(await replica.exited).toMatchObject({ reason });
  },
);

test('a program that may download or compile its model by itself has longer for it', async () => {
  const { start } = begin({ neuronDevices: ['/dev/neuron0'] });
  const vLLM = { vLLM: { url: 'docker.io/vllm/vllm-openai:v1' } };
  const onVllm = (parts = partsOn()): EndpointParts => ({ ...parts, model: { ...parts.model, image: vLLM } });
  const withoutRepository = {
    ...onVllm(),
    experimentalFeatures: { ...onVllm().experimentalFeatures, skipRepoDownload: true },
  };
  const replicas = [onVllm(), withoutRepository, onVllm(partsOn('neuron')), partsOn()];
  expect(await Promise.all(replicas.map(async (parts) => (await start(parts)).preparesModel))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test('accelerators are passed in', async () => {
  const { engine, start } = begin({ status: { ...answers, hasGpu: true }, neuronDevices: ['/dev/neuron0'] });
  await start(partsOn('gpu'));
  await start(partsOn('neuron'));
  expect(engine.containers.map(({ spec }) => [spec.gpus, spec.devices])).toEqual([
    ['all', []],
    ['none', ['/dev/neuron0']],
  ]);
});

test.each([
  ['cpu', null],
  ['gpu', 'Scripted 1.0 passes no graphics card of this machine to its containers.'],
  ['neuron', 'This machine has no AWS Neuron accelerator.'],
] as const)('an endpoint on %s here: %s', (accelerator, problem) =>
  expect(begin().runtime.unsuitable(partsOn(accelerator))).toEqual(
    problem && { problem, action: 'Choose the processor for it.' },
  ),
);

test('an image is downloaded once, with its account, and shows its layers', async () => {
  const { engine, fetch, progress } = begin();
  engine.onPull = async (onProgress) => onProgress({ doneBytes: null, totalBytes: null, layersDone: 3, layers: 7 });
  const parts = partsOn('cpu', { credentials: { username: 'ada', password: null } });
  await Promise.all([fetch(parts, 'geheim'), fetch(parts, 'geheim')]);
  await fetch(parts, 'geheim');
  expect(engine.pulled).toEqual([{ image: IMAGE, account: { username: 'ada', password: 'geheim' } }]);
  expect(progress).toContainEqual(['pull', '3 of 7 layers']);
});

test('an image that cannot be downloaded fails, and leaves the way free for the next try', async () => {
  const { engine, fetch } = begin();
  engine.onPull = () => Promise.reject(new ImagePullFailed('missing', 'There is no such image.', 'Correct its name.'));
  await expect(fetch()).rejects.toThrow('There is no such image.');
  engine.onPull = async () => {};
  await fetch();
  expect(engine.images).toEqual(new Set([IMAGE]));
});

test('a user name without a password is asked to have one where the image needs an account', async () => {
  const { engine, fetch } = begin();
  const parts = partsOn('cpu', { credentials: { username: 'ada', password: null } });
  const failing = (kind: 'unauthorized' | 'missing') => {
    engine.onPull = () => Promise.reject(new ImagePullFailed(kind, 'It failed.', 'Do this.'));
  };
  failing('unauthorized');
  await expect(fetch(parts)).rejects.toMatchObject({
    message: 'The image needs an account, and its user name ada has no password.',
    action: 'Set the password, then resume the endpoint.',
  });
  await expect(fetch(parts, 'wrong')).rejects.toThrow('It failed.');
  failing('missing');
  await expect(fetch(parts)).rejects.toThrow('It failed.');
  expect(engine.pulled.map(({ account }) => account)).toEqual([null, { username: 'ada', password: 'wrong' }, null]);
});

test('an engine that does not answer is waited for, and the start goes on once it does', async () => {
  const { clock, engine, found, fetch, progress } = begin();
  found.engine = null;
  const fetched = fetch();
  await clock.advance(9 * 60_000);
  expect(progress.at(-1)).toEqual(['engine']);
  found.engine = engine;
  engine.isGone = true;
  await clock.advance(4_000);
  engine.isGone = false;
  await clock.advance(2_000);
  await fetched;
  expect(engine.pulled).toHaveLength(1);
  expect(clock.pending).toBe(0);
});

test('an engine that does not answer for ten minutes fails the start; a pause ends the wait at once', async () => {
  const { clock, engine, fetch } = begin();
  engine.isGone = true;
  const failed = expect(fetch()).rejects.toMatchObject({
    failure: { reason: 'container-engine', message: 'Scripted 1.0 has not answered for 10 minutes.' },
  });
  await clock.advance(11 * 60_000);
  await failed;
  const without = begin();
  without.found.engine = null;
  const uninstalled = expect(without.fetch()).rejects.toMatchObject({
    failure: {
      message: 'The container engine has not answered for 10 minutes. No container engine is installed.',
      action: 'Install Podman. Then resume the endpoint.',
    },
  });
  await without.clock.advance(11 * 60_000);
  await uninstalled;
  const second = begin();
  second.engine.isGone = true;
  const paused = expect(second.fetch()).rejects.toThrow('paused');
  await second.clock.advance(5_000);
  second.ended.abort(new Error('paused'));
  await paused;
});

test('an engine that ends during a download is waited for, at most three times', async () => {
  const { clock, engine, fetch } = begin();
  let tries = 0;
  engine.onPull = async () => {
    tries++;
    throw new ContainerEngineGone('Scripted 1.0');
  };
  const failed = expect(fetch()).rejects.toThrow('Scripted 1.0 does not answer.');
  await clock.advance(60_000);
  await failed;
  expect(tries).toBe(3);
});

test('an engine that is gone when the container is to start counts as an end: the next start waits for it', async () => {
  const { engine, found, start } = begin();
  engine.isGone = true;
  const replica = await start();
  expect(await replica.exited).toMatchObject({ reason: 'container-engine' });
  await replica.stop();
  found.engine = null;
  expect(await (await start()).exited).toMatchObject({ reason: 'container-engine' });
});

test('a container that cannot be started fails the start', async () => {
  const { engine, start } = begin();
  engine.run = () =>
    Promise.reject(new ContainerStartFailed('command', 'No such program.', 'Correct the command.', 'exec: x'));
  await expect(start()).rejects.toThrow('No such program.');
});
