import { reasons, type Variants } from './variant.ts';
import { cacheTypes } from './vllm.ts';

/** Of two arguments of one name the last one counts: the endpoint's own come after these. */
export const sGLang: Variants['sGLang'] = {
  label: 'SGLang',
  source: 'sgl-project/sglang, docs/advanced_features/server_arguments.md',
  port: 30_000,
  files: 'repository',
  // Its image starts no server by itself.
  command: ['python3', '-m', 'sglang.launch_server'],
  // `docker run --shm-size 32g` in its installation guide.
  sharedMemoryBytes: 32 * 1024 ** 3,
  settings: {
    chunkedPrefillSize: { to: '--chunked-prefill-size', hasZero: true },
    kvCacheDtype: { to: '--kv-cache-dtype', values: cacheTypes },
    maxPrefillTokens: { to: '--max-prefill-tokens' },
    maxRunningRequests: { to: '--max-running-requests' },
    tensorParallelSize: { to: '--tensor-parallel-size' },
  },
  model: ({ path, repository, revision }) => ({
    args: [
      ...['--model-path', path ?? repository, '--served-model-name', repository],
      ...(path !== null || revision === null ? [] : ['--revision', revision]),
    ],
  }),
  address: (port) => ({ args: ['--host', '0.0.0.0', '--port', String(port)] }),
  defaults: ({ threads }) => ({ environment: { OMP_NUM_THREADS: String(threads) } }),
  reservedArguments: {
    '--port': reasons.port,
    '--host': reasons.address,
    '--fastapi-root-path': reasons.address,
    '--model-path': reasons.model,
    '--model': reasons.model,
    '--revision': reasons.model,
    '--api-key': reasons.access,
  },
  reservedVariables: {},
};
