import type { Passed, Variant, Variants } from './variant.ts';

/** Images whose servers take no argument of the daemon's: they listen on the port that the image's field names. */
const plain = {
  port: 80,
  files: 'repository',
  command: null,
  sharedMemoryBytes: null,
  address: (): Passed => ({}),
  defaults: (): Passed => ({}),
  reservedArguments: {},
  reservedVariables: {},
} as const satisfies Partial<Variant>;

/** The hub's server for pipelines, which reads its model and its task from variables. */
export const hubServe: Variants['hubServe'] = {
  label: 'the hub’s inference server',
  source: 'huggingface/huggingface-inference-toolkit, README.md',
  ...plain,
  settings: {},
  model: ({ path, repository, revision, task }) => ({
    environment: {
      ...(path === null
        ? { HF_MODEL_ID: repository, ...(revision !== null && { HF_REVISION: revision }) }
        : { HF_MODEL_DIR: path }),
      ...(task !== 'custom' && { HF_TASK: task }),
    },
  }),
};

/** An image of one's own: the model's files are mounted, and everything else is the endpoint's to say. */
export const custom: Variants['custom'] = {
  label: 'a container image',
  source: 'huggingface/hf-endpoints-documentation, docs/source/engines/custom_container.md',
  ...plain,
  settings: {
    credentials: { to: null, note: 'the account of the image’s registry; its password is stored encrypted' },
  },
  model: () => ({}),
};
