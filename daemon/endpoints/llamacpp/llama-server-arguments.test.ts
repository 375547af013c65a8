import { expect, test } from 'vitest';
import type { EndpointImage } from '../../contract/endpoints/endpoint-image.ts';
import type { CardPlace } from '../../graphics-cards/card-places.ts';
import type { LocalModel } from '../../model-files/model-files.ts';
import { placeOf } from '../../testing/models/place-on-card.ts';
import { partsNamed } from '../../testing/models/some-endpoints.ts';
import { tinyFacts } from '../../testing/models/tiny-facts.ts';
import { llamaServerArguments } from './llama-server-arguments.ts';
import type { LlamaServerCapabilities } from './llama-server-capabilities.ts';

type Image = NonNullable<EndpointImage['llamacpp']>;

const old: LlamaServerCapabilities = {
  version: 'b3000',
  options: new Set(['--model', '--host']),
  ...{ specTypes: [], chatTemplates: [], listensOnSockets: true, devices: [], vulkanCards: [], hidesLoading: false },
};
const recent: LlamaServerCapabilities = {
  ...old,
  options: new Set(['--device', '--offline', '--no-ui', '--no-webui', '--no-slots', '--cache-ram', '--spec-type']),
  specTypes: ['none', 'draft-simple'],
};
const model: LocalModel = { modelPath: '/m/a.gguf', mmprojPath: null, draftPath: null, facts: tinyFacts };
const withPooling = { facts: { ...tinyFacts, pooling: 'cls' } } as const;
const usual = ['--model', 'a.gguf', '--host', '/s/1.sock', '--alias', 'somebody/a-model'];
const threads = ['--threads', '3', '--threads-batch', '3'];

function argumentsFor(
  image: Partial<Image>,
  more: {
    readonly files?: Partial<LocalModel>;
    readonly capabilities?: LlamaServerCapabilities;
    readonly args?: string[];
    readonly accelerator?: 'cpu' | 'gpu';
    readonly card?: CardPlace | null;
  } = {},
): string[] {
  const { files = {}, capabilities = old, args = null, accelerator = 'cpu', card = null } = more;
  const plain = partsNamed('a');
  const parts = {
    ...plain,
    compute: { ...plain.compute, accelerator },
    model: { ...plain.model, args, image: { llamacpp: { url: 'u', modelPath: '/x', ...image } } },
  };
  const spec = {
    parts,
    model: { kind: 'gguf', files: { ...model, ...files } } as const,
    socketPath: '/s/1.sock',
    threads: 3,
    card,
  };
  return llamaServerArguments(spec, capabilities);
}

test.each<[string, Partial<Image>, Parameters<typeof argumentsFor>[1], string[]]>([
  ['nothing more', {}, {}, []],
  ['url, port, healthRoute and variant: no argument', { port: 80, healthRoute: '/h', variant: '*' }, {}, []],
  ['ctxSize', { ctxSize: 4096 }, {}, ['--ctx-size', '4096']],
  ['ctxSize 0: the server chooses', { ctxSize: 0 }, {}, []],
  ['ctxSize null: the server chooses', { ctxSize: null }, {}, []],
  ['nParallel 0: the server chooses', { nParallel: 0 }, {}, []],
  ['nParallel', { nParallel: 2 }, {}, ['--parallel', '2']],
  ['nGpuLayers', { nGpuLayers: 99 }, {}, ['--n-gpu-layers', '99']],
  ['nGpuLayers 0', { nGpuLayers: 0 }, {}, ['--n-gpu-layers', '0']],
  ['a vision file', { mmprojModelPath: '/x' }, { files: { mmprojPath: '/m/v.gguf' } }, ['--mmproj', '/m/v.gguf']],
  ['embeddings', { mode: 'embeddings' }, {}, ['--pooling', 'mean', '--embeddings']],
  ['embeddings of a file with a pooling', { mode: 'embeddings' }, { files: withPooling }, ['--embeddings']],
  [
    'embeddings with a pooling',
    { mode: 'embeddings', pooling: 'cls' },
    { files: withPooling },
    ['--pooling', 'cls', '--embeddings'],
  ],
  ['reranking', { mode: 'reranking', pooling: 'rank' }, {}, ['--pooling', 'rank', '--reranking']],
  ['a pooling alone', { pooling: 'last' }, {}, ['--pooling', 'last']],
  ['a draft model', { specModelPath: '/x' }, { files: { draftPath: '/m/d.gguf' } }, ['--model-draft', '/m/d.gguf']],
  ['a chat template', { chatTemplate: 'llama3' }, {}, ['--chat-template', 'llama3']],
  ['threadsHttp', { threadsHttp: 4 }, {}, ['--threads-http', '4']],
  ['threadsHttp 0: the server chooses', { threadsHttp: 0 }, {}, []],
  [
    'its own arguments, last',
    { ctxSize: 1 },
    { args: ['--seed=4', '--jinja'] },
    ['--ctx-size', '1', '--seed', '4', '--jinja'],
  ],
])('%s', (_what, image, more, expected) => {
  expect(argumentsFor(image, more)).toEqual([...usual, ...threads, ...expected]);
});

const closed = ['--offline', '--no-ui', '--no-slots', '--cache-ram', '256'];

test('a recent version gets options against pages and downloads', () => {
  expect(argumentsFor({}, { capabilities: recent })).toEqual([...usual, ...threads, ...closed]);
  const files = { draftPath: '/m/d.gguf' };
  const draft = ['--model-draft', '/m/d.gguf', '--spec-type', 'draft-simple'];
  expect(argumentsFor({}, { capabilities: recent, files })).toEqual([...usual, ...threads, ...draft, ...closed]);
});

test('a version that reads templates as Jinja takes the name of one for a name', () => {
  const capabilities = { ...recent, options: new Set([...recent.options, '--no-jinja']) };
  const named = ['--no-jinja', '--chat-template', 'llama3'];
  expect(argumentsFor({ chatTemplate: 'llama3' }, { capabilities })).toEqual([
    ...usual,
    ...threads,
    ...named,
    ...closed,
  ]);
  expect(argumentsFor({}, { capabilities })).not.toContain('--no-jinja');
});

test('on a machine with graphics cards, an endpoint on the processor leaves them alone', () => {
  const capabilities = { ...recent, devices: ['CUDA0'] };
  const none = ['--device', 'none', '--n-gpu-layers', '0'];
  expect(argumentsFor({}, { capabilities })).toEqual([...usual, ...threads, ...none, ...closed]);
  expect(argumentsFor({}, { capabilities, accelerator: 'gpu' })).not.toContain('--device');
  expect(argumentsFor({ nGpuLayers: 4 }, { capabilities })).toEqual(expect.arrayContaining(none));
  const shared = argumentsFor({ nGpuLayers: 4 }, { capabilities: { ...recent, devices: ['MTL0'] } });
  expect(shared).not.toContain('--device');
  expect(shared).toEqual(expect.arrayContaining(['--n-gpu-layers', '0']));
});

test('a card is named to it where it is to choose, and not where its environment leaves it only one', () => {
  const capabilities = { ...recent, devices: ['CUDA0', 'CUDA1'] };
  const named = ['--main-gpu', '1'];
  const onCard = { capabilities, accelerator: 'gpu' } as const;
  expect(argumentsFor({ mainGpu: 1 }, onCard)).toEqual(expect.arrayContaining(named));
  expect(argumentsFor({ mainGpu: 1 }, { ...onCard, card: placeOf() })).toEqual(expect.arrayContaining(named));
  const ofVulkan = { ...onCard, capabilities: { ...recent, devices: ['Vulkan0'] } };
  const place = placeOf();
  const known = { ...place, card: { ...place.card, device: 'Vulkan1' } };
  expect(argumentsFor({}, { ...ofVulkan, card: known })).toEqual(expect.arrayContaining(['--device', 'Vulkan1']));
  expect(argumentsFor({ mainGpu: 1 }, { ...ofVulkan, card: placeOf() })).not.toContain('--main-gpu');
});

test('a version that hides what it puts on a card is told to say it, where a card is used', () => {
  const options = new Set([...recent.options, '--verbosity']);
  const capabilities = { ...recent, options, devices: ['Vulkan0'], hidesLoading: true };
  const tells = expect.arrayContaining(['--verbosity', '4']);
  expect(argumentsFor({}, { capabilities, accelerator: 'gpu' })).toEqual(tells);
  expect(argumentsFor({}, { capabilities })).not.toContain('--verbosity');
  const older = { ...capabilities, hidesLoading: false };
  expect(argumentsFor({}, { capabilities: older, accelerator: 'gpu' })).not.toContain('--verbosity');
});
