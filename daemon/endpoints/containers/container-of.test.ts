import { expect, test } from 'vitest';
import type { EndpointImage } from '../../contract/endpoints/endpoint-image.ts';
import type { EndpointRequest } from '../../contract/endpoints/endpoint-request.ts';
import type { GgufFacts } from '../../contract/model-files/model-files.ts';
import { partsNamed } from '../../testing/models/some-endpoints.ts';
import type { PreparedModel } from '../runtime/endpoint-runtime.ts';
import { pulledImage, unsuitableForContainers } from './container-images.ts';
import { containerOf, modelNeedOf } from './container-of.ts';

const images = new Map([
  ['vllm:gpu', { image: 'docker.io/vllm/vllm-openai:v1', note: 'Seen.' }],
  ['vllmneuron:neuron', { image: 'docker.io/lab/vllm-neuron:v1', note: 'Seen.' }],
  ['custom:gpu', { image: null, note: 'It is one’s own.' }],
]);
const folder: PreparedModel = { kind: 'repository', folder: '/models/ada--tiny/c0ffee' };
const url = 'ghcr.io/owner/name:1';

type More = Partial<EndpointRequest['model']> & {
  readonly accelerator?: 'cpu' | 'gpu' | 'neuron';
  readonly skips?: true;
};

function parts(image: object, { accelerator = 'gpu', skips, ...model }: More = {}) {
  return partsNamed('chat', {
    compute: { accelerator, instanceType: 'host', instanceSize: 'x2', scaling: { minReplica: 0, maxReplica: 1 } },
    model: {
      ...{ repository: 'ada/tiny', framework: 'custom', task: 'text-generation', image: image as EndpointImage },
      ...model,
    },
    ...(skips && { experimentalFeatures: { skipRepoDownload: true } }),
  });
}

function container(image: object, more: More & { readonly model?: PreparedModel } = {}, variables = {}) {
  const { model = more.skips ? { kind: 'nothing' as const } : folder, ...rest } = more;
  return containerOf(parts(image, rest), { model, variables, threads: 3, images });
}

const common = {
  ...{ image: url, command: null, healthRoute: '/health', sharedMemoryBytes: null, bindsLowPort: true },
  mounts: [{ from: '/models/ada--tiny/c0ffee', to: '/repository' }],
};
const GIB = 1024 ** 3;
const neuron = { accelerator: 'neuron' } as const;

test.each<[string, object, More, object]>([
  [
    'tgi',
    {
      ...{ maxBatchPrefillTokens: 1, maxBatchTotalTokens: 2, maxInputLength: 3, maxTotalTokens: 4 },
      quantize: 'gptq',
    },
    {},
    {
      ...{ port: 80, args: [], sharedMemoryBytes: GIB },
      environment: {
        ...{ OMP_NUM_THREADS: '3', USAGE_STATS: 'off', MODEL_ID: '/repository', HOSTNAME: '0.0.0.0', PORT: '80' },
        ...{ MAX_BATCH_PREFILL_TOKENS: '1', MAX_BATCH_TOTAL_TOKENS: '2', MAX_INPUT_TOKENS: '3', MAX_TOTAL_TOKENS: '4' },
        ...{ DISABLE_CUSTOM_KERNELS: 'true', QUANTIZE: 'gptq' },
      },
    },
  ],
  [
    'tgiNeuron',
    { maxTotalTokens: 4096, maxInputLength: 0, hubAutoCastType: 'bf16', hubNumCores: 2 },
    neuron,
    {
      ...{ port: 80, args: [], sharedMemoryBytes: GIB },
      environment: {
        ...{ OMP_NUM_THREADS: '3', USAGE_STATS: 'off', MODEL_ID: '/repository', HOSTNAME: '0.0.0.0', PORT: '80' },
        ...{ MAX_TOTAL_TOKENS: '4096', HF_AUTO_CAST_TYPE: 'bf16', HF_NUM_CORES: '2' },
      },
    },
  ],
  [
    'tei',
    { maxBatchTokens: 8192, maxConcurrentRequests: 4, pooling: 'cls' },
    { accelerator: 'cpu' },
    {
      ...{ port: 80, args: [] },
      environment: {
        ...{
          OMP_NUM_THREADS: '3',
          TOKENIZATION_WORKERS: '3',
          MODEL_ID: '/repository',
          HOSTNAME: '0.0.0.0',
          PORT: '80',
        },
        ...{ MAX_BATCH_TOKENS: '8192', MAX_CONCURRENT_REQUESTS: '4', POOLING: 'cls' },
      },
    },
  ],
  [
    'vLLM',
    {
      ...{ dataParallelSize: 2, maxNumBatchedTokens: 2048, maxNumSeqs: 8, tensorParallelSize: 4 },
      kvCacheDtype: 'fp8-e4-m3',
    },
    {},
    {
      ...{ port: 8000, bindsLowPort: false, sharedMemoryBytes: 8 * GIB },
      args: [
        ...['/repository', '--served-model-name', 'ada/tiny', '--data-parallel-size', '2'],
        ...['--kv-cache-dtype', 'fp8_e4m3', '--max-num-batched-tokens', '2048', '--max-num-seqs', '8'],
        ...['--tensor-parallel-size', '4', '--host', '0.0.0.0', '--port', '8000'],
      ],
      environment: { OMP_NUM_THREADS: '3', DO_NOT_TRACK: '1' },
    },
  ],
  [
    'vLLMOmni',
    { deployConfig: '/repository/deploy.yaml', maxNumSeqs: 2 },
    {},
    {
      ...{ port: 8000, bindsLowPort: false, sharedMemoryBytes: 8 * GIB, command: ['vllm', 'serve'] },
      args: [
        ...['/repository', '--served-model-name', 'ada/tiny', '--omni'],
        ...['--deploy-config', '/repository/deploy.yaml', '--max-num-seqs', '2', '--host', '0.0.0.0', '--port', '8000'],
      ],
      environment: { OMP_NUM_THREADS: '3', DO_NOT_TRACK: '1' },
    },
  ],
  [
    'vLLMNeuron',
    {},
    neuron,
    {
      ...{ port: 8080, bindsLowPort: false, sharedMemoryBytes: 8 * GIB },
      args: [
        ...['--model', '/repository', '--served-model-name', 'ada/tiny'],
        ...['--host', '0.0.0.0', '--port', '8080'],
      ],
      environment: { OMP_NUM_THREADS: '3', DO_NOT_TRACK: '1' },
    },
  ],
  [
    'sGLang',
    {
      ...{ chunkedPrefillSize: -1, maxPrefillTokens: 16, maxRunningRequests: 0, tensorParallelSize: 2 },
      kvCacheDtype: 'fp8-e5-m2',
    },
    {},
    {
      ...{ port: 30_000, bindsLowPort: false, sharedMemoryBytes: 32 * GIB },
      command: ['python3', '-m', 'sglang.launch_server'],
      args: [
        ...['--model-path', '/repository', '--served-model-name', 'ada/tiny', '--chunked-prefill-size', '-1'],
        ...['--kv-cache-dtype', 'fp8_e5m2', '--max-prefill-tokens', '16', '--tensor-parallel-size', '2'],
        ...['--host', '0.0.0.0', '--port', '30000'],
      ],
      environment: { OMP_NUM_THREADS: '3' },
    },
  ],
  [
    'hubServe',
    {},
    {},
    { port: 80, args: [], environment: { HF_MODEL_DIR: '/repository', HF_TASK: 'text-generation' } },
  ],
  [
    'custom',
    { port: 8123, healthRoute: '/ready' },
    { args: ['--x'], command: ['serve'], env: { A: '1' } },
    {
      ...{ port: 8123, bindsLowPort: false, healthRoute: '/ready', command: ['serve'], args: ['--x'] },
      environment: {},
    },
  ],
])('%s: every member reaches its engine', (name, members, more, expected) => {
  expect(container({ [name]: { url, ...members } }, more)).toEqual({ ...common, ...expected });
});

const facts: GgufFacts = {
  ...{ architecture: 'llama', name: null, parameterCount: null, contextLength: null, shape: null, fileType: null },
  ...{ hasChatTemplate: true, pooling: null, isClassifier: false, sizeBytes: 1 },
};
const gguf: PreparedModel = {
  kind: 'gguf',
  files: {
    modelPath: '/models/a/q4/tiny-00001-of-00002.gguf',
    mmprojPath: '/models/a/eyes.gguf',
    draftPath: '/models/a/draft/tiny.gguf',
    facts,
  },
};
const llamaVariables = { LLAMA_ARG_CACHE_RAM: '256', LLAMA_ARG_OFFLINE: '1', LLAMA_ARG_NO_ENDPOINT_SLOTS: '1' };

test('llamacpp: its files alone are mounted, every part of a split model', () => {
  const llamacpp = {
    ...{ url, modelPath: '/repository/q4/tiny-00001-of-00002.gguf', ctxSize: 4096, nGpuLayers: 0, nParallel: 2 },
    ...{
      mode: 'embeddings',
      threadsHttp: 0,
      variant: null,
      mmprojModelPath: 'eyes.gguf',
      specModelPath: 'draft/tiny.gguf',
    },
  };
  expect(container({ llamacpp }, { model: gguf, args: ['--top-k=5'] })).toEqual({
    ...common,
    ...{ port: 8080, bindsLowPort: false },
    args: [
      ...['--model', '/repository/tiny-00001-of-00002.gguf', '--mmproj', '/repository/vision/eyes.gguf'],
      ...['--model-draft', '/repository/draft/tiny.gguf', '--alias', 'ada/tiny', '--threads', '3'],
      ...['--threads-batch', '3', '--ctx-size', '4096', '--embeddings', '--n-gpu-layers', '0', '--parallel', '2'],
      ...['--pooling', 'mean', '--top-k', '5', '--host', '0.0.0.0', '--port', '8080'],
    ],
    environment: { ...llamaVariables, LLAMA_ARG_SPEC_TYPE: 'draft-simple' },
    mounts: [
      { from: '/models/a/q4/tiny-00001-of-00002.gguf', to: '/repository/tiny-00001-of-00002.gguf' },
      { from: '/models/a/q4/tiny-00002-of-00002.gguf', to: '/repository/tiny-00002-of-00002.gguf' },
      { from: '/models/a/eyes.gguf', to: '/repository/vision/eyes.gguf' },
      { from: '/models/a/draft/tiny.gguf', to: '/repository/draft/tiny.gguf' },
    ],
  });
});

test('llamacpp: the name of a chat template is taken for one', () => {
  const llamacpp = { url, modelPath: '/repository/tiny.gguf', chatTemplate: 'llama3' };
  const { args, environment } = container({ llamacpp }, { model: gguf });
  expect(args.join(' ')).toContain('--chat-template llama3');
  expect(environment).toMatchObject({ LLAMA_ARG_JINJA: '0' });
});

test.each<[string, object, object]>([
  ['tgi', {}, { environment: expect.objectContaining({ MODEL_ID: 'ada/tiny', REVISION: 'v2' }) }],
  ['tei', {}, { environment: expect.objectContaining({ MODEL_ID: 'ada/tiny', REVISION: 'v2' }) }],
  ['vLLM', {}, { args: ['ada/tiny', '--revision', 'v2', '--host', '0.0.0.0', '--port', '8000'] }],
  [
    'vLLMNeuron',
    { port: 9 },
    {
      bindsLowPort: true,
      args: [
        ...['--model', 'ada/tiny', '--served-model-name', 'ada/tiny', '--revision', 'v2'],
        ...['--host', '0.0.0.0', '--port', '9'],
      ],
    },
  ],
  ['hubServe', {}, { environment: { HF_MODEL_ID: 'ada/tiny', HF_REVISION: 'v2', HF_TASK: 'text-generation' } }],
  ['custom', {}, { environment: {}, args: [] }],
])('with skipRepoDownload, %s downloads its model by itself, and nothing is mounted', (name, members, expected) => {
  const image = { [name]: { url, ...members } };
  expect(modelNeedOf(parts(image, { skips: true }))).toBe('nothing');
  expect(container(image, { skips: true, revision: 'v2' })).toMatchObject({ ...expected, mounts: [] });
});

test('an endpoint’s arguments and variables win over its image’s members, and never over address and model', () => {
  const vLLM = container(
    { vLLM: { url, maxNumSeqs: 8 } },
    { args: ['--max-num-seqs', '4'], command: ['sh', '-c'], accelerator: 'cpu' },
    { DO_NOT_TRACK: '0', SECRET: 's' },
  );
  expect(vLLM).toMatchObject({
    command: ['sh', '-c'],
    args: expect.arrayContaining(['--max-num-seqs', '8', '--max-num-seqs', '4', '--host', '0.0.0.0', '--port', '8000']),
    environment: { OMP_NUM_THREADS: '3', VLLM_CPU_OMP_THREADS_BIND: 'nobind', DO_NOT_TRACK: '0', SECRET: 's' },
  });
  expect(vLLM.args.slice(-6)).toEqual(['--max-num-seqs', '4', '--host', '0.0.0.0', '--port', '8000']);
  const stored = { PORT: '1', HOSTNAME: '::1', MODEL_ID: '/etc', MAX_TOTAL_TOKENS: '7' };
  expect(container({ tgi: { url, port: 3000, maxTotalTokens: 9 } }, {}, stored).environment).toMatchObject({
    ...{ PORT: '3000', HOSTNAME: '0.0.0.0', MODEL_ID: '/repository', MAX_TOTAL_TOKENS: '7' },
  });
});

test.each([
  ['tgi', 'PORT', ['--port=1', '-p', '--model_id'], ['--port', '-p', '--model-id']],
  ['vLLM', 'VLLM_API_KEY', ['--host', '--api-key', '/x'], ['--host', '--api-key']],
  ['sGLang', null, ['--model-path'], ['--model-path']],
])('%s: what the daemon sets is refused, with the reason', (name, variable, args, refused) => {
  const refusal = (work: () => unknown): string[] => {
    try {
      work();
      return [];
    } catch (error) {
      return (error as { issues: { message: string }[] }).issues.map(({ message }) => message);
    }
  };
  const env = variable === null ? {} : { [variable]: '1' };
  const issues = refusal(() => parts({ [name]: { url } }, { args, env }));
  const expected = [...refused, ...Object.keys(env)].map((each) =>
    expect.stringContaining(`may not set ${each}: the `),
  );
  expect(issues).toEqual(expected);
});

test('images: named ones, those of the table, and why there is none', () => {
  const named = parts({ custom: { url: 'me/app', credentials: { username: 'ada', password: 'x' } } });
  expect(pulledImage(named, images, 'secret')).toEqual({
    image: 'docker.io/me/app:latest',
    account: { username: 'ada', password: 'secret' },
    nameWithoutPassword: null,
  });
  expect(pulledImage(named, images, null)).toEqual({
    ...{ image: 'docker.io/me/app:latest', account: null, nameWithoutPassword: 'ada' },
  });
  expect(pulledImage(parts({ vLLM: { url: 'engines/vllm:gpu' } }), images, 'secret')).toEqual({
    image: 'docker.io/vllm/vllm-openai:v1',
    account: null,
    nameWithoutPassword: null,
  });
  const problem = (image: object) => unsuitableForContainers(parts(image), images);
  expect(problem({ vLLM: { url: 'engines/vllm:gpu' } })).toBeNull();
  const action = 'Name an image in its url.';
  expect(problem({ custom: { url: 'engines/custom:gpu' } })).toEqual({
    problem: 'No image is known for engines/custom:gpu. It is one’s own.',
    action,
  });
  expect(problem({ tei: { url: 'engines/tei:gpu' } })).toEqual({
    problem: 'No image is known for engines/tei:gpu.',
    action,
  });
  const onlyTheHub = {
    problem: 'Only the hub runs this kind of endpoint: it names no image that this machine could run.',
    action: 'Choose another kind of image for it, such as vLLM or tei.',
  };
  const open = {
    problem: 'Its image is still open: the hub did not show the files of the repository when it was deployed.',
    action: 'Deploy it again once the hub can be reached, or choose its image, such as llamacpp, vLLM or tei.',
  };
  expect([problem({ hub: {} }), problem({ hubNeuron: {} })]).toEqual([open, onlyTheHub]);
  expect(() => pulledImage(parts({ custom: { url: 'engines/custom:gpu' } }), images, null)).toThrow('is known');
});

test('an image for an accelerator that the endpoint does not run on is refused before it is downloaded', () => {
  const problem = (url: string, more: More) => unsuitableForContainers(parts({ vLLM: { url } }, more), images);
  expect(problem('engines/vllm:gpu', { accelerator: 'cpu' })).toEqual({
    problem: 'engines/vllm:gpu is an image for graphics cards, and the endpoint runs on the processor.',
    action: 'Change its image or its accelerator.',
  });
  expect(problem('engines/vllm:gpu', { accelerator: 'gpu' })).toBeNull();
  expect(problem('engines/vllmneuron:neuron', { accelerator: 'gpu' })?.problem).toContain(
    'for Neuron accelerators, and',
  );
  expect(problem('docker.io/vllm/vllm-openai:v1', { accelerator: 'cpu' })).toBeNull();
});
