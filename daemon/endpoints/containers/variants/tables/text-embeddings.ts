import { modelVariables } from './text-generation.ts';
import { reasons, type Variants } from './variant.ts';

/**
 * Text Embeddings Inference takes each setting as an argument or as a variable, and refuses an argument that is given
 * twice. The daemon therefore sets variables, which the endpoint's own arguments override.
 */
export const tei: Variants['tei'] = {
  label: 'Text Embeddings Inference',
  source: 'huggingface/text-embeddings-inference, docs/source/en/cli_arguments.md',
  port: 80,
  files: 'repository',
  command: null,
  sharedMemoryBytes: null,
  settings: {
    maxBatchTokens: { to: 'MAX_BATCH_TOKENS' },
    maxConcurrentRequests: { to: 'MAX_CONCURRENT_REQUESTS' },
    pooling: { to: 'POOLING' },
  },
  model: modelVariables,
  address: (port) => ({ environment: { HOSTNAME: '0.0.0.0', PORT: String(port) } }),
  // Its default is a tokenizer for each processor of the machine.
  defaults: ({ threads }) => ({
    environment: { OMP_NUM_THREADS: String(threads), TOKENIZATION_WORKERS: String(threads) },
  }),
  reservedArguments: {
    '--port': reasons.port,
    '-p': reasons.port,
    '--hostname': reasons.address,
    '--uds-path': reasons.address,
    '--model-id': reasons.model,
    '--revision': reasons.model,
    '--api-key': reasons.access,
  },
  reservedVariables: {
    PORT: reasons.port,
    HOSTNAME: reasons.address,
    UDS_PATH: reasons.address,
    MODEL_ID: reasons.model,
    REVISION: reasons.model,
    API_KEY: reasons.access,
  },
};
