import type { ModelInContainer, Variants } from './variant.ts';

/** For the prompts of earlier requests; the server's default, 8 GiB, is more than many machines have. An endpoint may raise it. */
export const PROMPT_CACHE_MIB = 256;

/**
 * llama.cpp's own server. Its arguments and variables are checked by llama-arguments.ts and llama-variables.ts, since
 * the same endpoint may run as a process of this machine. Variables that a version does not know change nothing, unlike
 * arguments, so what only newer versions have is set by variables.
 */
export const llamacpp: Variants['llamacpp'] = {
  label: 'llama.cpp',
  source: 'ggml-org/llama.cpp, tools/server/README.md and .devops/cpu.Dockerfile',
  port: 8_080,
  files: 'gguf',
  command: null,
  sharedMemoryBytes: null,
  settings: {
    // Where it reads templates as Jinja, it takes a name for the text of one, and every chat becomes that text.
    chatTemplate: { to: '--chat-template', environment: { LLAMA_ARG_JINJA: '0' } },
    ctxSize: { to: '--ctx-size' },
    mainGpu: { to: '--main-gpu', hasZero: true },
    mmprojModelPath: { to: null, note: '`--mmproj`, its file mounted' },
    mode: { to: null, flags: { embeddings: '--embeddings', reranking: '--reranking' } },
    modelPath: { to: null, note: '`--model`, its files mounted' },
    nGpuLayers: { to: '--n-gpu-layers', hasZero: true },
    nParallel: { to: '--parallel' },
    pooling: { to: '--pooling', note: '`mean` for embeddings whose file names none' },
    specModelPath: { to: null, note: '`--model-draft`, its file mounted, with `LLAMA_ARG_SPEC_TYPE=draft-simple`' },
    threadsHttp: { to: '--threads-http' },
    variant: { to: null, note: 'chooses the file that is downloaded' },
  },
  model: (model) => ({
    args: [...fileArguments(model), '--alias', model.repository],
    environment: model.draftPath === null ? {} : { LLAMA_ARG_SPEC_TYPE: 'draft-simple' },
  }),
  address: (port) => ({ args: ['--host', '0.0.0.0', '--port', String(port)] }),
  defaults: ({ threads }) => ({
    args: ['--threads', String(threads), '--threads-batch', String(threads)],
    environment: {
      ...{ LLAMA_ARG_CACHE_RAM: String(PROMPT_CACHE_MIB), LLAMA_ARG_OFFLINE: '1' },
      // They would show the prompts of others.
      LLAMA_ARG_NO_ENDPOINT_SLOTS: '1',
    },
  }),
  reservedArguments: {},
  reservedVariables: {},
};

function fileArguments({ path, mmprojPath, draftPath }: ModelInContainer): string[] {
  return [
    ...(path === null ? [] : ['--model', path]),
    ...(mmprojPath === null ? [] : ['--mmproj', mmprojPath]),
    ...(draftPath === null ? [] : ['--model-draft', draftPath]),
  ];
}
