import type { EndpointRequest } from '../../contract/endpoints/endpoint-request.ts';
import { type EngineVariant, engineImage } from './engine-images.ts';

type Model = EndpointRequest['model'];

/** An endpoint of a variant, and what its engine is to see and to answer. */
export interface VariantCase {
  readonly variant: EngineVariant;
  readonly model: Pick<Model, 'image'> & Partial<Model>;
  /** The whole command line, with the endpoint's own arguments. `N` is the number of threads. */
  readonly argv: readonly string[];
  /** All variables beside those of the endpoint, the image and the container engine. `N` is the number of threads. */
  readonly env: Readonly<Record<string, string>>;
  readonly port: number;
  /** The folders and files of the model in it; all read-only. */
  readonly mounts: readonly string[];
  /** null: the engine's default. */
  readonly sharedMemoryBytes: number | null;
  /** A request for inference, and a part of its answer. */
  readonly path: string;
  readonly body: object;
  readonly answer: string;
}

/** Arguments, variables and secrets that every case has beside its own. */
export const ownArguments = ['--own-argument', 'of the endpoint'];
export const ownVariables = { GREETING: 'hello', TEST_LINES: 'one\ntwo "and" \'three\' $HOME' };
export const ownSecrets = { HF_TOKEN: 'hf_secret' };
/** The account whose pull is tested; the password is the registry's. */
export const account = { username: 'ada', password: 'p:s w√rd' };

const GIB = 1024 ** 3;
const chat = { path: '/v1/chat/completions', body: { messages: [{ role: 'user', content: 'Hello' }] } };
const streamed = { path: chat.path, body: { ...chat.body, stream: true }, answer: 'data: [DONE]' };
const said = 'Hello from a container';
const url = engineImage;

/** Names of the vendors' images, from the daemon's table, with the engines of the tests that stand in for them. */
export const vendorImages = { tgi: 'engines/tgi:cpu', tei: 'engines/tei:cpu', vLLM: 'engines/vllm:cpu' } as const;

/** Where the model's repository is in a container. */
const repository = { mounts: ['/repository'], sharedMemoryBytes: null } as const;
const tgiTokens = {
  maxBatchPrefillTokens: 4_096,
  maxBatchTotalTokens: 8_192,
  maxInputLength: 1_000,
  maxTotalTokens: 2_000,
};
const tgiVariables = {
  ...{ MAX_BATCH_PREFILL_TOKENS: '4096', MAX_BATCH_TOTAL_TOKENS: '8192', MAX_INPUT_TOKENS: '1000' },
  ...{ MAX_TOTAL_TOKENS: '2000', MODEL_ID: '/repository', PORT: '80', HOSTNAME: '0.0.0.0' },
  ...{ OMP_NUM_THREADS: 'N', USAGE_STATS: 'off' },
};
const vllmVariables = { OMP_NUM_THREADS: 'N', DO_NOT_TRACK: '1', VLLM_CPU_OMP_THREADS_BIND: 'nobind' };

/** @param registryImage an image of the registry of the tests, which wants the account */
export const variantCases = (registryImage: string): readonly VariantCase[] => [
  {
    variant: 'tgi',
    model: { image: { tgi: { url: vendorImages.tgi, ...tgiTokens, disableCustomKernels: false, quantize: 'awq' } } },
    argv: ['/tgi-entrypoint.sh', ...ownArguments],
    env: { ...tgiVariables, QUANTIZE: 'awq' },
    ...{ ...repository, port: 80, sharedMemoryBytes: GIB },
    ...{ path: '/generate', body: { inputs: 'Hello' }, answer: said },
  },
  {
    variant: 'tgiNeuron',
    model: { image: { tgiNeuron: { url: url('tgiNeuron'), ...tgiTokens, hubAutoCastType: 'bf16', hubNumCores: 2 } } },
    argv: ['/tgi-entrypoint.sh', ...ownArguments],
    env: { ...tgiVariables, HF_AUTO_CAST_TYPE: 'bf16', HF_NUM_CORES: '2' },
    ...{ ...repository, port: 80, sharedMemoryBytes: GIB },
    ...{ path: '/generate_stream', body: { inputs: 'Hello' }, answer: 'data: {"token"' },
  },
  {
    variant: 'tei',
    model: {
      task: 'feature-extraction',
      image: {
        tei: { url: vendorImages.tei, port: 8_081, maxBatchTokens: 4_096, maxConcurrentRequests: 64, pooling: 'cls' },
      },
    },
    argv: ['/usr/local/bin/text-embeddings-router', ...ownArguments],
    env: {
      ...{
        MODEL_ID: '/repository',
        PORT: '8081',
        HOSTNAME: '0.0.0.0',
        OMP_NUM_THREADS: 'N',
        TOKENIZATION_WORKERS: 'N',
      },
      ...{ MAX_BATCH_TOKENS: '4096', MAX_CONCURRENT_REQUESTS: '64', POOLING: 'cls' },
    },
    ...{ ...repository, port: 8_081 },
    ...{ path: '/embed', body: { inputs: ['a', 'b'] }, answer: '[[0,1,0],[1,1,0]]' },
  },
  {
    variant: 'llamacpp',
    model: {
      ...{ repository: 'ada/Tiny-GGUF', framework: 'llamacpp', args: ['--jinja'], env: {}, secrets: {} },
      image: {
        llamacpp: {
          ...{ url: url('llamacpp'), modelPath: '/repository/tiny-q4.gguf', mode: 'embeddings', pooling: 'mean' },
          ...{ ctxSize: 256, nParallel: 2, nGpuLayers: 0, threadsHttp: 3 },
        },
      },
    },
    argv: [
      ...['/app/llama-server', '--model', '/repository/tiny-q4.gguf', '--alias', 'ada/Tiny-GGUF'],
      ...['--threads', 'N', '--threads-batch', 'N', '--ctx-size', '256', '--embeddings', '--n-gpu-layers', '0'],
      ...[
        '--parallel',
        '2',
        '--pooling',
        'mean',
        '--threads-http',
        '3',
        '--jinja',
        '--host',
        '0.0.0.0',
        '--port',
        '8080',
      ],
    ],
    env: { LLAMA_ARG_CACHE_RAM: '256', LLAMA_ARG_OFFLINE: '1', LLAMA_ARG_NO_ENDPOINT_SLOTS: '1' },
    ...{ port: 8_080, mounts: ['/repository/tiny-q4.gguf'], sharedMemoryBytes: null },
    ...{ path: '/v1/embeddings', body: { input: 'Hello' }, answer: '"embedding":[0,1,0]' },
  },
  {
    variant: 'vLLM',
    model: {
      image: {
        vLLM: {
          ...{ url: vendorImages.vLLM, dataParallelSize: 1, maxNumBatchedTokens: 2_048, maxNumSeqs: 16 },
          ...{ tensorParallelSize: 2, kvCacheDtype: 'fp8-e4-m3' },
        },
      },
    },
    argv: [
      ...[
        '/usr/local/bin/vllm',
        'serve',
        '/repository',
        '--served-model-name',
        'ada/Tiny',
        '--data-parallel-size',
        '1',
      ],
      ...['--kv-cache-dtype', 'fp8_e4m3', '--max-num-batched-tokens', '2048', '--max-num-seqs', '16'],
      ...['--tensor-parallel-size', '2', ...ownArguments, '--host', '0.0.0.0', '--port', '8000'],
    ],
    env: vllmVariables,
    ...{ ...repository, port: 8_000, sharedMemoryBytes: 8 * GIB, ...streamed },
  },
  {
    variant: 'vLLMOmni',
    model: { image: { vLLMOmni: { url: url('vLLMOmni'), deployConfig: '/stages.yaml', maxNumSeqs: 8 } } },
    argv: [
      ...['/usr/local/bin/vllm', 'serve', '/repository', '--served-model-name', 'ada/Tiny', '--omni'],
      ...['--deploy-config', '/stages.yaml', '--max-num-seqs', '8', ...ownArguments],
      ...['--host', '0.0.0.0', '--port', '8000'],
    ],
    env: vllmVariables,
    ...{ ...repository, port: 8_000, sharedMemoryBytes: 8 * GIB, ...chat, answer: said },
  },
  {
    variant: 'vLLMNeuron',
    model: { image: { vLLMNeuron: { url: url('vLLMNeuron') } } },
    argv: [
      ...['/usr/local/bin/optimum-cli', 'neuron', 'serve', '--model', '/repository', '--served-model-name', 'ada/Tiny'],
      ...[...ownArguments, '--host', '0.0.0.0', '--port', '8080'],
    ],
    env: vllmVariables,
    ...{ ...repository, port: 8_080, sharedMemoryBytes: 8 * GIB, ...chat, answer: said },
  },
  {
    variant: 'sGLang',
    model: {
      image: {
        sGLang: {
          ...{ url: url('sGLang'), chunkedPrefillSize: -1, maxPrefillTokens: 2_048, maxRunningRequests: 4 },
          ...{ tensorParallelSize: 2, kvCacheDtype: 'fp8-e5-m2' },
        },
      },
    },
    argv: [
      ...['/usr/bin/python3', '-m', 'sglang.launch_server', '--model-path', '/repository'],
      ...['--served-model-name', 'ada/Tiny', '--chunked-prefill-size', '-1', '--kv-cache-dtype', 'fp8_e5m2'],
      ...['--max-prefill-tokens', '2048', '--max-running-requests', '4', '--tensor-parallel-size', '2'],
      ...[...ownArguments, '--host', '0.0.0.0', '--port', '30000'],
    ],
    env: { OMP_NUM_THREADS: 'N' },
    ...{ ...repository, port: 30_000, sharedMemoryBytes: 32 * GIB },
    ...{ path: '/generate', body: { text: 'Hello' }, answer: said },
  },
  {
    variant: 'hubServe',
    model: {
      task: 'text-generation',
      image: { hubServe: { url: url('hubServe'), healthRoute: '/ready' } },
      env: { ...ownVariables, TEST_HEALTH_ROUTE: '/ready' },
    },
    argv: ['/usr/local/bin/serve', ...ownArguments],
    env: { HF_MODEL_DIR: '/repository', HF_TASK: 'text-generation' },
    ...{ ...repository, port: 80, path: '/', body: { inputs: 'Hello' }, answer: said },
  },
  {
    variant: 'custom',
    model: {
      image: { custom: { url: registryImage, port: 8_555, credentials: account } },
      command: ['python3', 'app.py'],
      env: { ...ownVariables, PORT: '8555' },
    },
    argv: ['/usr/bin/python3', 'app.py', ...ownArguments],
    env: {},
    ...{ ...repository, port: 8_555, path: '/', body: { inputs: 'Hello' }, answer: said },
  },
];
