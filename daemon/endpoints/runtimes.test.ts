import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ContainerEngineStatus } from '../contract/endpoints/runtimes.ts';
import { cardProblem } from '../graphics-cards/card-problems.ts';
import type { GraphicsCards, KnownCard } from '../graphics-cards/graphics-cards.ts';
import { scriptedEngine } from '../testing/containers/scripted-engine.ts';
import { withoutContainers } from '../testing/containers/without-containers.ts';
import { noGraphicsCards } from '../testing/models/no-graphics-cards.ts';
import { partsNamed } from '../testing/models/some-endpoints.ts';
import type { EndpointParts } from './description/endpoint-parts.ts';
import { writeInstalled } from './llamacpp/llama-server-program.ts';
import { Runtimes, type RuntimesDeps } from './runtimes.ts';

const help = (more = '') => `#!/bin/sh
case $1 in
--version) echo "version: $VERSION" >&2 ;;
--help) printf '%s\\n' '-m,    --model FNAME   path' '--host HOST   address, or UNIX socket paths' '--mmproj FILE   x' ${more} ;;
--list-devices) printf 'Available devices:\\n  CUDA0: A card (24 GiB)\\n' ;;
esac
`;
const server = (version: string, more = '') => help(more).replace('$VERSION', version);

async function machine(deps: Partial<RuntimesDeps> = {}, packages: readonly string[] = []) {
  const folder = await mkdtemp(join(tmpdir(), 'runtimes-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const bin = join(folder, 'bin');
  const runtimesDir = join(folder, 'runtimes');
  const runner = join(folder, 'runner.cjs');
  await mkdir(bin);
  await mkdir(runtimesDir);
  await writeFile(runner, '');
  for (const name of packages) {
    await mkdir(join(folder, 'node_modules', name), { recursive: true });
    await writeFile(join(folder, 'node_modules', name, 'package.json'), '{"version":"3.21.1"}');
  }
  const program = async (path: string, text: string) => {
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, text);
    await chmod(path, 0o755);
    return path;
  };
  const runtimes = new Runtimes({
    ...withoutContainers,
    cards: noGraphicsCards,
    llamaServer: null,
    runtimesDir,
    runner,
    forkNode: () => Promise.reject(new Error('not in this test')),
    childEnvironment: () => ({ PATH: bin }),
    platform: 'linux',
    arch: 'x64',
    hasRelease: async () => true,
    ...deps,
  });
  return { folder, bin, runtimesDir, runtimes, program };
}

const NEW = { servedInContainer: false };
const FROM_CONTAINER = { servedInContainer: true };
const knownImages = async () =>
  new Map([
    ['llamacpp:cpu', { image: 'ghcr.io/a/llama:1', note: 'here' }],
    ['llamacpp:gpu', { image: 'ghcr.io/a/llama:cuda', note: 'here' }],
    ['vllm:cpu', { image: null, note: 'Nobody makes one.' }],
  ]);
/** A machine with a container engine, and what has an image. */
const withContainers = (hasGpu = false): Partial<RuntimesDeps> => ({
  containerEngine: {
    find: async () => scriptedEngine(),
    status: async () => ({
      ...{ label: 'Scripted 1.0', socket: '/s', isRootless: false, hasGpu },
      ...{ problem: null, action: null, command: null },
    }),
    refresh: () => {},
  },
  containerImages: knownImages,
});
const imageOf = (image: EndpointParts['model']['image']): EndpointParts =>
  partsNamed('a', { model: { framework: 'custom', repository: 'ada/tiny', image } });

const bundled = ['node-llama-cpp', '@node-llama-cpp/linux-x64'];
const parts = (llamacpp: object = {}, accelerator: 'cpu' | 'gpu' = 'cpu'): EndpointParts => {
  const plain = partsNamed('a');
  const image = { llamacpp: { url: 'engines/llamacpp:cpu', modelPath: '/x', ...llamacpp } };
  return { ...plain, compute: { ...plain.compute, accelerator }, model: { ...plain.model, image } };
};

test('without any program, every endpoint is refused with the reason', async () => {
  const { runtimes } = await machine();
  expect(await runtimes.list()).toMatchObject([
    { id: 'llama-server', version: null, path: null, problem: 'llama-server is not installed.' },
    { id: 'bundled', version: null, path: null, problem: expect.stringContaining('is not installed.') },
  ]);
  const problem = 'This machine has no program that runs models of llama.cpp.';
  const action = 'Install llama-server.';
  expect(await runtimes.forEndpoint(parts(), NEW)).toEqual({ reason: 'no-runtime', problem, action });
  const { cpu, gpu, vision, canInstall } = await runtimes.limits();
  expect([cpu, gpu !== null, vision !== null, canInstall]).toEqual([`${problem} ${action}`, true, true, true]);
});

test('an installation without the bundled runner says so, and advises llama-server for an endpoint', async () => {
  const { runtimes } = await machine({ runner: '/nowhere/runner.cjs' }, bundled);
  expect((await runtimes.list())[1]).toEqual({
    ...{ id: 'bundled', label: 'bundled llama.cpp', version: null, path: null, hasGpu: false },
    problem: 'This installation comes without it. It runs models of llama.cpp with llama-server or in containers.',
  });
  expect(await runtimes.forEndpoint(parts(), NEW)).toMatchObject({ action: 'Install llama-server.' });
});

test('the bundled runner alone runs plain models only', async () => {
  const { runtimes } = await machine({}, bundled);
  expect(await runtimes.forEndpoint(parts(), NEW)).toMatchObject({
    label: 'bundled llama.cpp (node-llama-cpp 3.21.1)',
  });
  expect(await runtimes.forEndpoint(parts({ mmprojModelPath: '/v' }), NEW)).toMatchObject({
    problem: 'The bundled llama.cpp reads no images (mmprojModelPath).',
    action: 'Install llama-server for it.',
  });
  const { cpu, gpu, vision } = await runtimes.limits();
  expect([cpu, gpu !== null, vision !== null]).toEqual([null, true, true]);
});

test('a program counts as installable only where an install would be used; else the limits say why it is not', async () => {
  const limitsOf = async (deps: Partial<RuntimesDeps>) => (await machine(deps, bundled)).runtimes.limits();
  expect(await limitsOf({})).toMatchObject({
    vision: 'It reads images, which needs llama-server. Install it.',
    canInstall: true,
  });
  expect(await limitsOf({ hasRelease: async () => false })).toMatchObject({
    vision: 'It reads images, which needs llama-server. llama-server is not installed.',
    canInstall: false,
  });
  expect(await limitsOf({ llamaServer: 'none' })).toMatchObject({
    vision:
      'It reads images, which needs llama-server. llama-server is switched off by the option --llama-server none.',
    canInstall: false,
  });
  expect(await limitsOf({ platform: 'win32' })).toMatchObject({ canInstall: false });
  expect(await limitsOf({ llamaServer: '/nowhere/llama-server' })).toMatchObject({ canInstall: false });
});

test('a llama-server without the option for images does not read them', async () => {
  const { runtimes, program, bin } = await machine({}, bundled);
  await program(join(bin, 'llama-server'), server('1 (a)').replace("'--mmproj FILE   x'", ''));
  expect(await runtimes.limits()).toMatchObject({
    vision: 'It reads images, which needs llama-server. Install a newer one.',
    canInstall: false,
  });
});

test('llama-server on PATH is preferred, and found after a refresh only', async () => {
  const { runtimes, program, bin } = await machine({}, bundled);
  const before = await runtimes.limits();
  await program(join(bin, 'llama-server'), server('4567 (abc)'));
  expect(await runtimes.limits()).toBe(before);
  runtimes.refresh();
  expect(await runtimes.list()).toMatchObject([
    { label: 'llama-server b4567', version: 'b4567', path: join(bin, 'llama-server'), problem: null, hasGpu: false },
    { version: '3.21.1', problem: null },
  ]);
  expect(await runtimes.forEndpoint(parts({ mmprojModelPath: '/v' }), NEW)).toMatchObject({
    label: 'llama-server b4567',
  });
  expect(await runtimes.limits()).toMatchObject({ cpu: null, vision: null });
  expect(await runtimes.forEndpoint(parts({}, 'gpu'), NEW)).toMatchObject({
    reason: 'graphics-card',
    problem: 'This machine has no graphics card that models can use.',
  });
});

test('a graphics card that llama-server lists can be used', async () => {
  const { runtimes, program, bin } = await machine();
  await program(join(bin, 'llama-server'), server('1 (a)', "'--list-devices   print'"));
  expect(await runtimes.list()).toMatchObject([{ hasGpu: true }, {}]);
  expect(await runtimes.limits()).toMatchObject({ cpu: null, gpu: null, vision: null, canInstall: false });
  expect(await runtimes.forEndpoint(parts({}, 'gpu'), NEW)).toMatchObject({ label: 'llama-server b1' });
});

const card: KnownCard = {
  ...{ index: 0, name: 'A card', api: 'vulkan', driver: null, sharesMemory: false, selector: null, device: null },
  ...{ totalBytes: 8e9, freeBytes: 8e9 },
};
type CardState = Awaited<ReturnType<GraphicsCards['find']>>;
const cardsOf = (change: Partial<CardState>): Pick<RuntimesDeps, 'cards'> => ({
  cards: { find: async () => ({ isOn: true, cards: [card], problem: null, hasFailed: false, ...change }) },
});

test('the bundled runner runs models on a graphics card, where llama-server has none for its build', async () => {
  const { runtimes, program, bin } = await machine(cardsOf({}), bundled);
  await program(join(bin, 'llama-server'), server('1 (a)'));
  expect(await runtimes.list()).toMatchObject([{ hasGpu: false }, { hasGpu: true }]);
  expect(await runtimes.limits()).toMatchObject({ cpu: null, gpu: null });
  const runner = { label: 'bundled llama.cpp (node-llama-cpp 3.21.1)' };
  expect(await runtimes.forEndpoint(parts({}, 'gpu'), NEW)).toMatchObject(runner);
  expect(await runtimes.forEndpoint(parts({ nGpuLayers: 4 }), NEW)).toMatchObject({ label: 'llama-server b1' });
});

test('a driver that failed in use is not tried by llama-server either; one that the runner cannot use may be', async () => {
  const problem = cardProblem('driver-crashed', 'SIGSEGV');
  const labelWith = async (change: Parameters<typeof cardsOf>[0]) => {
    const { runtimes, program, bin } = await machine(cardsOf({ problem, ...change }), bundled);
    await program(join(bin, 'llama-server'), server('1 (a)', "'--list-devices   print'"));
    return { found: await runtimes.forEndpoint(parts({}, 'gpu'), NEW), limits: await runtimes.limits() };
  };
  const refused = { reason: 'graphics-card', problem: problem.message, action: problem.action, card: problem };
  const failed = await labelWith({ hasFailed: true });
  expect([failed.found, failed.limits.gpu]).toEqual([refused, `${problem.message} ${problem.action}`]);
  const other = await labelWith({ hasFailed: false });
  expect([other.found, other.limits.gpu]).toMatchObject([{ label: 'llama-server b1' }, null]);
});

test('while the graphics card is switched off no program uses it, in containers neither', async () => {
  const { runtimes } = await machine({ ...withContainers(true), ...cardsOf({ isOn: false }) }, bundled);
  const text = 'The graphics card is switched off in Settings. Switch it on under Settings, or choose the processor.';
  expect(await runtimes.limits()).toMatchObject({ cpu: null, gpu: text, containers: null, containerGpu: text });
  const vLLM = imageOf({ vLLM: { url: 'docker.io/vllm/vllm-openai:v1' } });
  for (const endpoint of [parts({}, 'gpu'), { ...vLLM, compute: { ...vLLM.compute, accelerator: 'gpu' as const } }]) {
    expect(await runtimes.forEndpoint(endpoint, NEW)).toMatchObject({
      reason: 'graphics-card',
      card: { kind: 'switched-off' },
    });
  }
  expect(await runtimes.forEndpoint(parts(), NEW)).toMatchObject({ cardPlace: 'needed' });
  expect((await runtimes.list())[1]).toMatchObject({ hasGpu: false });
});

test('a downloaded one is used where PATH has none; a damaged record counts as none', async () => {
  const { runtimes, program, runtimesDir } = await machine();
  const path = await program(join(runtimesDir, 'llama-server-b1', 'llama-server'), server('1 (a)'));
  await writeInstalled(runtimesDir, { version: 'b1', program: 'llama-server-b1/llama-server', sha256: 'x' });
  expect(await runtimes.list()).toMatchObject([{ path }, {}]);
  await writeFile(join(runtimesDir, 'llama-server.json'), '{"version":"b1","program":"../../bin/sh","sha256":"x"}');
  runtimes.refresh();
  expect(await runtimes.list()).toMatchObject([{ path: null }, {}]);
});

test.each<[string, string | null, string]>([
  ['is missing', null, 'does not run: '],
  ['is another program', '#!/bin/sh\necho hello', "is not llama.cpp's server."],
  ['fails', '#!/bin/sh\necho libx.so: not found >&2; exit 127', 'ended with exit code 127 (libx.so: not found).'],
  [
    'knows no sockets',
    "#!/bin/sh\necho 'version: 1 (a)'; echo '--model x'; echo '--host x'",
    'cannot listen on a Unix',
  ],
])('the program of the setting %s: the status says so, and no other is used', async (_what, text, problem) => {
  const { program, bin, folder, runtimesDir } = await machine();
  await program(join(bin, 'llama-server'), server('1 (a)'));
  const path = join(folder, 'my-server');
  if (text !== null) await program(path, text);
  const runtimes = new Runtimes({
    ...withoutContainers,
    cards: noGraphicsCards,
    ...{ llamaServer: path, runtimesDir, runner: '/nowhere', platform: 'linux', arch: 'x64' },
    forkNode: () => Promise.reject(new Error('not in this test')),
    hasRelease: async () => true,
    childEnvironment: () => ({ PATH: `${bin}:/usr/bin:/bin` }),
  });
  expect(await runtimes.list()).toMatchObject([{ path, problem: expect.stringContaining(problem) }, {}]);
});

test('the setting none switches llama-server off', async () => {
  const { runtimes, program, bin } = await machine({ llamaServer: 'none' });
  await program(join(bin, 'llama-server'), server('1 (a)'));
  expect(await runtimes.list()).toMatchObject([{ problem: expect.stringContaining('switched off') }, {}]);
});

test('on Windows llama-server is not used', async () => {
  const { runtimes } = await machine({ platform: 'win32' });
  expect(await runtimes.list()).toMatchObject([{ problem: expect.stringContaining('not used on Windows') }, {}]);
});

test('without a container engine, an engine that needs one says what to do, unless it has served in a container: then it waits', async () => {
  const { runtimes } = await machine({}, bundled);
  const vLLM = imageOf({ vLLM: { url: 'docker.io/vllm/vllm-openai:v1' } });
  expect(await runtimes.forEndpoint(vLLM, NEW)).toEqual({
    reason: 'container-engine',
    problem: 'To run vLLM, this machine needs a container engine. No container engine answers on this machine.',
    action: 'Install Podman.',
  });
  expect(await runtimes.forEndpoint(vLLM, FROM_CONTAINER)).toMatchObject({ label: 'container engine' });
  expect(await runtimes.forEndpoint(imageOf({ hub: {} }), FROM_CONTAINER)).toMatchObject({
    reason: 'no-runtime',
    problem: expect.stringMatching(/^Its image is still open/),
    action: expect.stringMatching(/^Deploy it again once the hub can be reached/),
  });
  const none = 'No container engine answers on this machine. Install Podman.';
  expect(await runtimes.limits()).toMatchObject({ containers: none, containerGpu: none, images: new Set() });
});

test('a container engine that comes and goes is noticed without a refresh, and the programs are not asked again', async () => {
  let status: ContainerEngineStatus = await withoutContainers.containerEngine.status();
  let asked = 0;
  const { runtimes } = await machine({
    ...withContainers(),
    containerEngine: { find: async () => null, status: async () => status, refresh: () => {} },
    neuronDevices: async () => {
      asked++;
      return [];
    },
  });
  const before = await runtimes.limits();
  expect(await runtimes.limits()).toBe(before);
  status = { ...status, label: 'Podman 5', problem: null, action: null };
  expect((await runtimes.limits()).containers).toBeNull();
  expect(asked).toBe(1);
  status = { ...status, label: null, problem: 'It does not answer.' };
  expect((await runtimes.limits()).containers).toBe('It does not answer.');
  // It is expected back: the start waits for it.
  const vLLM = imageOf({ vLLM: { url: 'docker.io/vllm/vllm-openai:v1' } });
  expect(await runtimes.forEndpoint(vLLM, NEW)).toMatchObject({ label: 'container engine' });
});

test('a model of llama.cpp runs in a container if it names an image, or if nothing else here runs it', async () => {
  const { runtimes } = await machine(withContainers(), bundled);
  const labelOf = async (endpoint: EndpointParts) => (await runtimes.forEndpoint(endpoint, NEW)) as { label?: string };
  expect(await labelOf(parts())).toMatchObject({ label: 'bundled llama.cpp (node-llama-cpp 3.21.1)' });
  expect(await labelOf(parts({ url: 'ghcr.io/ada/llama:2' }))).toMatchObject({ label: 'Scripted 1.0' });
  expect(await labelOf(parts({ mmprojModelPath: '/v' }))).toMatchObject({ label: 'Scripted 1.0' });
});

test('a model of llama.cpp that names an image of its own never runs without a container engine', async () => {
  const { runtimes } = await machine({ containerImages: knownImages }, bundled);
  const ownImage = parts({ url: 'ghcr.io/ada/llama:2' });
  expect(await runtimes.forEndpoint(ownImage, NEW)).toEqual({
    reason: 'container-engine',
    problem:
      'To run the image ghcr.io/ada/llama:2, this machine needs a container engine. No container engine answers on this machine.',
    action: 'Install Podman.',
  });
  expect(await runtimes.forEndpoint(ownImage, FROM_CONTAINER)).toMatchObject({ label: 'container engine' });
});

test('a model of llama.cpp that served in a container waits for the engine, if no program here can run it', async () => {
  const { runtimes } = await machine({ containerImages: knownImages }, bundled);
  const withVision = parts({ mmprojModelPath: '/v' });
  expect(await runtimes.forEndpoint(withVision, FROM_CONTAINER)).toMatchObject({ label: 'container engine' });
  expect(await runtimes.forEndpoint(withVision, NEW)).toMatchObject({ reason: 'no-runtime' });
  const runner = { label: 'bundled llama.cpp (node-llama-cpp 3.21.1)' };
  expect(await runtimes.forEndpoint(parts(), FROM_CONTAINER)).toMatchObject(runner);
});

test('an engine without an image for this machine says to name one, and nothing else', async () => {
  const { runtimes } = await machine(withContainers());
  expect(await runtimes.forEndpoint(imageOf({ vLLM: { url: 'engines/vllm:cpu' } }), NEW)).toEqual({
    reason: 'no-runtime',
    problem: 'No image is known for engines/vllm:cpu. Nobody makes one.',
    action: 'Name an image in its url.',
  });
});

test('containers lift the limits of llama.cpp, with the images that are known and the graphics cards they get', async () => {
  const limitsWith = async (hasGpu: boolean) => (await machine(withContainers(hasGpu))).runtimes.limits();
  const images = new Set(['llamacpp:cpu', 'llamacpp:gpu']);
  expect(await limitsWith(true)).toEqual({
    ...{ cpu: null, gpu: null, vision: null, canInstall: true, containers: null, containerGpu: null, images },
  });
  expect(await limitsWith(false)).toMatchObject({
    gpu: 'This machine has no graphics card that models can use. Choose the processor.',
    containerGpu: 'Scripted 1.0 passes no graphics card to its containers.',
  });
});

test('a downloaded llama-server that lists no graphics card may be replaced, one on PATH or with a card not', async () => {
  const downloaded = async (text: string, deps: Partial<RuntimesDeps> = {}) => {
    const found = await machine(deps);
    await found.program(join(found.runtimesDir, 'one', 'llama-server'), text);
    await writeInstalled(found.runtimesDir, { version: '1', program: 'one/llama-server', sha256: 'ab' });
    return found;
  };
  const withoutCard = server('1 (a)', "'--list-devices'").replace('CUDA0: A card (24 GiB)', '');
  const plain = await downloaded(withoutCard);
  expect(await plain.runtimes.mayReplaceServer()).toBe(true);
  await plain.program(join(plain.bin, 'llama-server'), withoutCard);
  plain.runtimes.refresh();
  expect(await plain.runtimes.mayReplaceServer()).toBe(false);
  expect(await (await downloaded(server('1 (a)', "'--list-devices'"))).runtimes.mayReplaceServer()).toBe(false);
  expect(await (await downloaded(withoutCard, { hasRelease: async () => false })).runtimes.mayReplaceServer()).toBe(
    false,
  );
  expect(await (await machine()).runtimes.mayReplaceServer()).toBe(false);
});
