import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { EndpointImage } from '../../contract/endpoints/endpoint-image.ts';
import { RunnerOptions } from '../../llama-runner/runner-options.ts';
import { systemClock } from '../../shared/clock.ts';
import type { ForkNode } from '../../shared/processes/fork-node.ts';
import { leaderExit, requireStarted, startLeader } from '../../shared/processes/start-leader.ts';
import { placeOf } from '../../testing/models/place-on-card.ts';
import { partsNamed } from '../../testing/models/some-endpoints.ts';
import { tinyFacts } from '../../testing/models/tiny-facts.ts';
import type { EndpointParts } from '../description/endpoint-parts.ts';
import type { Unsuitable } from '../runtime/endpoint-runtime.ts';
import { BundledRuntime, bundledPackage, runnerOptions } from './bundled-runtime.ts';

const env = { PATH: process.env['PATH'] ?? '' };

/** A stand-in for the runner: answers on the socket of its options. */
const runner = `
  const { socketPath, mode } = JSON.parse(process.argv[1]);
  console.log('selects', process.env.LLAMA_SELECTS);
  require('node:http').createServer((_, response) => response.end(mode)).listen(socketPath);
`;

const forkNode: ForkNode = async (program, args, options) => {
  const child = startLeader(process.execPath, ['-e', program, ...args], options);
  await requireStarted(child);
  const exited = leaderExit(child).then(([code, signal]) => ({ code, signal }));
  return { pid: child.pid as number, stdout: child.stdout, stderr: child.stderr, exited };
};

const runtimeWith = (noCard: Unsuitable | null) =>
  new BundledRuntime({
    ...{ version: '3.21.1', program: runner, forkNode, childEnvironment: () => env },
    noCard: () => noCard,
    clock: systemClock,
  });
const runtime = runtimeWith(null);

type Model = Partial<EndpointParts['model']>;
const withImage = (image: EndpointImage, more: Model = {}, accelerator: 'cpu' | 'gpu' = 'cpu'): EndpointParts => {
  const parts = partsNamed('a');
  return { ...parts, compute: { ...parts.compute, accelerator }, model: { ...parts.model, image, ...more } };
};
const llamacpp = (more: object = {}, model: Model = {}, accelerator: 'cpu' | 'gpu' = 'cpu') =>
  withImage({ llamacpp: { url: 'u', modelPath: '/x', ...more } }, model, accelerator);

test.each<[string, EndpointParts]>([
  ['a plain model', llamacpp()],
  ['sizes', llamacpp({ ctxSize: 512, nParallel: 2, nGpuLayers: 0, threadsHttp: 2, port: 80 })],
  ['embeddings', llamacpp({ mode: 'embeddings', pooling: 'cls' })],
  ['reranking', llamacpp({ mode: 'reranking', pooling: 'rank' })],
  ['a chat template', llamacpp({ chatTemplate: 'llama3' })],
  ['a model on the graphics card', llamacpp({}, {}, 'gpu')],
  ['layers that stay on the processor', llamacpp({ nGpuLayers: 9 })],
  ['a variable of OpenMP', llamacpp({}, { env: { OMP_NUM_THREADS: '1' } })],
])('it can run %s', (_what, parts) => {
  expect(runtime.unsuitable(parts)).toBeNull();
});

test.each<[EndpointParts, string]>([
  [llamacpp({ mmprojModelPath: '/v' }), 'reads no images (mmprojModelPath)'],
  [llamacpp({ specModelPath: '/d' }), 'uses no draft model (specModelPath)'],
  [llamacpp({ chatTemplate: 'granite' }), 'knows no chat template granite'],
  [llamacpp({ nParallel: 65 }), 'answers at most 64 requests at the same time (nParallel)'],
  [llamacpp({ pooling: 'rank' }), 'ranks only in the mode reranking'],
  [llamacpp({}, { args: ['--jinja'] }), 'takes no arguments (args)'],
  [llamacpp({}, { secrets: { LLAMA_ARG_TOP_K: null } }), 'takes no arguments (LLAMA_ARG_TOP_K)'],
  [llamacpp({}, { command: ['sh'] }), 'a command of its own'],
  [withImage({ vLLM: { url: 'u' } }), 'Without a container'],
  [withImage({ hub: {} }), 'Without a container'],
])('it cannot run an endpoint, and says why', (parts, why) => {
  expect(runtime.unsuitable(parts)).toEqual({ problem: expect.stringContaining(why), action: expect.any(String) });
});

test('where no graphics card can be used it runs on the processor only', () => {
  const noCard = { problem: 'The card is broken.', action: 'Repair it.' };
  expect(runtimeWith(noCard).unsuitable(llamacpp({}, {}, 'gpu'))).toEqual(noCard);
  expect(runtimeWith(noCard).unsuitable(llamacpp())).toBeNull();
});

test.each([
  [{}, { layers: null, maxBytes: 5e9 }],
  [{ nGpuLayers: 7 }, { layers: 7, maxBytes: 5e9 }],
])('with a place on a card, %j puts as many layers there', (image, expected) => {
  const files = { modelPath: '/m.gguf', mmprojPath: null, draftPath: null, facts: tinyFacts };
  const spec = { model: { kind: 'gguf', files }, socketPath: '/s', threads: 3 } as const;
  const card = placeOf({ freeBytes: 5e9 });
  expect(runnerOptions({ ...spec, parts: llamacpp(image, {}, 'gpu'), card }).card).toEqual(expected);
});

test('the runner gets its options, low priority and the endpoint’s variables', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bundled-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const files = { modelPath: '/m.gguf', mmprojPath: null, draftPath: null, facts: tinyFacts };
  const model = { kind: 'gguf', files } as const;
  const socketPath = join(folder, 'a.sock');
  const parts = llamacpp({ ctxSize: 0, nParallel: 2, mode: 'embeddings', pooling: 'last' });
  const spec = {
    id: '1',
    endpoint: 'lab/chat',
    parts,
    model,
    socketPath,
    threads: 3,
    card: null,
    variables: { OMP_NUM_THREADS: '1', LD_PRELOAD: '/evil.so' },
  };
  expect(runnerOptions(spec)).toEqual({
    ...{ socketPath, modelPath: '/m.gguf', alias: 'somebody/a-model', ctxSize: null, parallel: 2 },
    ...{ mode: 'embeddings', pooling: 'last', chatTemplate: null, threads: 3, card: null },
  });
  const named = { ...spec, parts: llamacpp({ chatTemplate: 'llama3' }) };
  expect(RunnerOptions.parse(runnerOptions(named))).toMatchObject({ chatTemplate: 'llama3' });
  expect(RunnerOptions.parse(runnerOptions(spec))).toEqual(runnerOptions(spec));
  const card = placeOf({ variables: { LLAMA_SELECTS: '1' } });
  const replica = await runtime.start({ ...spec, card, onLine: () => {} });
  onTestFinished(() => replica.stop());
  await vi.waitFor(async () => expect(await replica.isHealthy(5_000)).toBe(true));
  expect(replica.log).toEqual([expect.stringContaining('Not passed on: A model'), 'selects 1']);
});

test('its package is looked for beside the program and above, and nothing is loaded', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bundled-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const program = join(folder, 'dist', 'node', 'runner.cjs');
  expect(await bundledPackage(program, 'linux', 's390x')).toEqual({
    problem: 'There is no bundled llama.cpp for linux on s390x.',
  });
  expect(await bundledPackage(program, 'linux', 'x64')).toMatchObject({
    problem: expect.stringContaining('comes without it'),
  });
  await mkdir(dirname(program), { recursive: true });
  await writeFile(program, '');
  expect(await bundledPackage(program, 'linux', 'x64')).toMatchObject({
    problem: expect.stringContaining('node-llama-cpp is not installed'),
  });
  for (const name of ['node-llama-cpp', '@node-llama-cpp/linux-x64']) {
    await mkdir(join(folder, 'node_modules', name), { recursive: true });
    await writeFile(join(folder, 'node_modules', name, 'package.json'), '{"version":"1.2.3"}');
  }
  expect(await bundledPackage(program, 'linux', 'x64')).toEqual({ version: '1.2.3' });
  expect(await bundledPackage(program, 'darwin', 'arm64')).toMatchObject({
    problem: expect.stringContaining('mac-arm64-metal is not'),
  });
});
