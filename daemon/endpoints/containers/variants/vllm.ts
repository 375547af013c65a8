import { type ModelInContainer, type Passed, reasons, type Variant, type Variants } from './variant.ts';

/** The values of the field with the dashes that vLLM and SGLang write as underscores. */
export const cacheTypes = { 'fp8-e4-m3': 'fp8_e4m3', 'fp8-e5-m2': 'fp8_e5m2' } as const;

/** Of two arguments of one name the last one counts: the endpoint's own come after these. */
const server = {
  files: 'repository',
  // Processes of one server exchange tensors there; its own deployment examples use up to 8 GiB.
  sharedMemoryBytes: 8 * 1024 ** 3,
  address: (port: number): Passed => ({ args: ['--host', '0.0.0.0', '--port', String(port)] }),
  // On a processor it binds threads to cores by default, for which a container has no permission.
  defaults: ({ threads, isProcessor }: { readonly threads: number; readonly isProcessor: boolean }): Passed => ({
    environment: {
      ...{ OMP_NUM_THREADS: String(threads), DO_NOT_TRACK: '1' },
      ...(isProcessor && { VLLM_CPU_OMP_THREADS_BIND: 'nobind' }),
    },
  }),
  reservedArguments: {
    '--port': reasons.port,
    '--host': reasons.address,
    '--uds': reasons.address,
    '--root-path': reasons.address,
    '--ssl-keyfile': reasons.address,
    '--ssl-certfile': reasons.address,
    '--model': reasons.model,
    '--revision': reasons.model,
    '--api-key': reasons.access,
  },
  reservedVariables: { VLLM_API_KEY: reasons.access },
} as const satisfies Partial<Variant>;

/** The entry point of its image is `vllm serve`, which takes the model as its first word. */
const servedModel = ({ path, repository, revision }: ModelInContainer): string[] =>
  path !== null
    ? [path, '--served-model-name', repository]
    : [repository, ...(revision === null ? [] : ['--revision', revision])];

export const vLLM: Variants['vLLM'] = {
  label: 'vLLM',
  source: 'vllm-project/vllm, docs/deployment/docker.md and `vllm serve --help`',
  ...server,
  port: 8_000,
  command: null,
  settings: {
    dataParallelSize: { to: '--data-parallel-size' },
    kvCacheDtype: { to: '--kv-cache-dtype', values: cacheTypes },
    maxNumBatchedTokens: { to: '--max-num-batched-tokens' },
    maxNumSeqs: { to: '--max-num-seqs' },
    tensorParallelSize: { to: '--tensor-parallel-size' },
  },
  model: (model) => ({ args: servedModel(model) }),
};

/** Its image has no entry point. */
export const vLLMOmni: Variants['vLLMOmni'] = {
  label: 'vLLM-Omni',
  source: 'vllm-project/vllm-omni, docker/Dockerfile.cuda and vllm_omni/entrypoints/cli/serve.py',
  ...server,
  port: 8_000,
  command: ['vllm', 'serve'],
  settings: {
    deployConfig: { to: '--deploy-config', note: 'a path in the container' },
    maxNumSeqs: { to: '--max-num-seqs', note: 'of each stage' },
  },
  model: (model) => ({ args: [...servedModel(model), '--omni'] }),
};

/** Its entry point is `optimum-cli neuron serve`, which passes on to vLLM what it does not know. */
export const vLLMNeuron: Variants['vLLMNeuron'] = {
  label: 'vLLM for Neuron',
  source: 'huggingface/optimum-neuron, docker/vllm/Dockerfile and optimum/commands/neuron/serve.py',
  ...server,
  port: 8_080,
  command: null,
  settings: {},
  model: ({ path, repository, revision }) => ({
    args: [
      ...['--model', path ?? repository, '--served-model-name', repository],
      ...(path !== null || revision === null ? [] : ['--revision', revision]),
    ],
  }),
};
