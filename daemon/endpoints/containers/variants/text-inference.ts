import { type ModelInContainer, type Passed, type Reserved, reasons, type Variant, type Variants } from './variant.ts';

/**
 * Text Generation Inference and Text Embeddings Inference take each setting as an argument or as a variable, and refuse an
 * argument that is given twice. The daemon therefore sets variables, which the endpoint's own arguments override.
 */
const server = {
  port: 80,
  files: 'repository',
  command: null,
  model: ({ path, repository, revision }: ModelInContainer): Passed => {
    if (path !== null) return { environment: { MODEL_ID: path } };
    return { environment: { MODEL_ID: repository, ...(revision !== null && { REVISION: revision }) } };
  },
  address: (port: number): Passed => ({ environment: { HOSTNAME: '0.0.0.0', PORT: String(port) } }),
} as const satisfies Partial<Variant>;

/** @param more of the address */
const reservedArguments = (more: Reserved = {}): Reserved => ({
  ...{ '--port': reasons.port, '-p': reasons.port, '--hostname': reasons.address, ...more },
  ...{ '--model-id': reasons.model, '--revision': reasons.model, '--api-key': reasons.access },
});
const reservedVariables = (more: Reserved = {}): Reserved => ({
  ...{ PORT: reasons.port, HOSTNAME: reasons.address, ...more },
  ...{ MODEL_ID: reasons.model, REVISION: reasons.model, API_KEY: reasons.access },
});

const launcher = {
  ...server,
  // `docker run --shm-size 1g` in its README: shards on several graphics cards exchange data there.
  sharedMemoryBytes: 1024 ** 3,
  defaults: ({ threads }: { readonly threads: number }): Passed => ({
    environment: { OMP_NUM_THREADS: String(threads), USAGE_STATS: 'off' },
  }),
  ...{ reservedArguments: reservedArguments(), reservedVariables: reservedVariables() },
} as const satisfies Partial<Variant>;

const tokens = {
  maxBatchPrefillTokens: { to: 'MAX_BATCH_PREFILL_TOKENS' },
  maxBatchTotalTokens: { to: 'MAX_BATCH_TOTAL_TOKENS' },
  maxInputLength: { to: 'MAX_INPUT_TOKENS', note: '`MAX_INPUT_LENGTH` is its older name' },
  maxTotalTokens: { to: 'MAX_TOTAL_TOKENS' },
} as const;

export const tgi: Variants['tgi'] = {
  label: 'Text Generation Inference',
  source: 'huggingface/text-generation-inference, docs/source/reference/launcher.md',
  ...launcher,
  settings: {
    ...tokens,
    disableCustomKernels: { to: 'DISABLE_CUSTOM_KERNELS' },
    quantize: { to: 'QUANTIZE' },
  },
};

/** Its entry point reads the variables before the launcher does: docs/source/backends/neuron.md and tgi_env.py. */
export const tgiNeuron: Variants['tgiNeuron'] = {
  label: 'Text Generation Inference for Neuron',
  source: 'huggingface/text-generation-inference, docs/source/backends/neuron.md',
  ...launcher,
  settings: {
    ...tokens,
    hubAutoCastType: { to: 'HF_AUTO_CAST_TYPE' },
    hubNumCores: { to: 'HF_NUM_CORES' },
  },
};

export const tei: Variants['tei'] = {
  label: 'Text Embeddings Inference',
  source: 'huggingface/text-embeddings-inference, docs/source/en/cli_arguments.md',
  ...server,
  sharedMemoryBytes: null,
  settings: {
    maxBatchTokens: { to: 'MAX_BATCH_TOKENS' },
    maxConcurrentRequests: { to: 'MAX_CONCURRENT_REQUESTS' },
    pooling: { to: 'POOLING' },
  },
  // Its default is a tokenizer for each processor of the machine.
  defaults: ({ threads }) => ({
    environment: { OMP_NUM_THREADS: String(threads), TOKENIZATION_WORKERS: String(threads) },
  }),
  reservedArguments: reservedArguments({ '--uds-path': reasons.address }),
  reservedVariables: reservedVariables({ UDS_PATH: reasons.address }),
};
