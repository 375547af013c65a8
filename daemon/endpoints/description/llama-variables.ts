import { isAllowedVariable, overLimit } from './llama-options.ts';

/** Settings that the daemon passes in another way. */
const RESERVED = [
  'MODEL',
  'HTTP_THREADS',
  'N_GPU_LAYERS',
  'EMBEDDINGS',
  'HOST',
  'PORT',
  'NO_MMAP',
  'CTX_SIZE',
  'N_PARALLEL',
  'ENDPOINT_METRICS',
].map((name) => `LLAMA_ARG_${name}`);

const PREFIXES = ['LLAMA_', 'GGML_', 'CUDA_', 'OMP_'];

/**
 * Variables that name a library, a folder or a file. GGML_BACKEND_PATH, CUDA_INJECTION64_PATH and OMP_TOOL_LIBRARIES
 * load a library into the process: each would run any code, like LD_PRELOAD.
 */
const LOADS_FILES = /PATH|DIR|FILE|LIB|TOOL|INJECTION|CACHE|PLUGIN|PRELOAD|DEBUG|DUMP|LOG|API_KEY|TOKEN|MODEL/;
/** A separator of folders: these variables take numbers and names. */
const HAS_PATH = /[\\/]/;

/**
 * Why a variable is not passed to a model's process on this machine, in one sentence; null: it is.
 * @param value null: not known
 */
export function variableProblem(name: string, value: string | null): string | null {
  // Some systems ignore the case of variable names.
  const upper = name.toUpperCase();
  if (RESERVED.includes(upper)) return `The daemon sets ${name}. Use the image's own field instead.`;
  if (upper.startsWith('LLAMA_ARG_')) {
    if (!isAllowedVariable(upper)) return `An endpoint may not set ${name}: it means an argument that is refused.`;
    if (value?.startsWith('/')) return isPath(name);
    return overLimit(upper, Number.parseInt(value ?? '', 10));
  }
  if (!PREFIXES.some((prefix) => upper.startsWith(prefix))) {
    return `A model's process takes only variables that begin with ${PREFIXES.join(', ')}; ${name} does not.`;
  }
  if (LOADS_FILES.test(upper)) return `${name} would give the model's process files or libraries of this machine.`;
  return value !== null && HAS_PATH.test(value) ? isPath(name) : null;
}

const isPath = (name: string) =>
  `The value of ${name} is a path: a model's process reads no other files than its model.`;
