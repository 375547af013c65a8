import type { EndpointFailure } from '../../contract/endpoints/endpoint-report.ts';
import { cardProblem } from '../../graphics-cards/card-problems.ts';

interface Rule {
  readonly reason: EndpointFailure['reason'];
  /** A line of the log that shows the cause. */
  readonly line: RegExp;
  readonly message: string;
  readonly action: string;
}

export const TOO_LITTLE_MEMORY = {
  message: 'There is too little memory for the model.',
  action: 'Close other programs, or deploy a smaller model or a shorter context; then resume it.',
};

/**
 * The first rule with a line in the log applies. The messages are those of llama.cpp, in its server and in the bundled
 * runner, and of the engines in containers: argparse and clap about arguments, PyTorch, Transformers and vLLM.
 */
const logRules: readonly Rule[] = [
  {
    reason: 'invalid-setting',
    line: /^error: (?:invalid|unknown) argument|error while handling argument|^usage: |error: (?:unrecognized|unexpected) argument|error: argument .+: (?:invalid|expected)/i,
    message: 'The server does not know one of the arguments.',
    action: "Change the endpoint's arguments; the log names the one that was refused.",
  },
  {
    reason: 'no-card-memory',
    line: /the graphics card is out of memory|ErrorOutOfDeviceMemory|device memory allocation of size .+ failed|cudaMalloc failed: out of memory|unable to allocate (?:Vulkan|CUDA|ROCm|MTL)\d* buffer/i,
    ...cardProblem('no-memory'),
  },
  {
    reason: 'no-card-memory',
    line: /pre-allocated tensor .+ cannot run the operation/i,
    message: 'A part of the model or of its context is larger than the graphics driver takes in one piece.',
    action: 'Deploy a shorter context or a smaller model, or choose the processor.',
  },
  {
    reason: 'graphics-card',
    line: /ErrorDeviceLost|device lost|no graphics card answers|ErrorInitializationFailed|throwing an instance of 'vk::/i,
    ...cardProblem('card-lost'),
  },
  {
    reason: 'no-memory',
    line: /out of memory|failed to allocate|unable to allocate|cannot allocate memory|bad_alloc|insufficient (?:memory|vram)|no available memory for the cache/i,
    ...TOO_LITTLE_MEMORY,
  },
  {
    reason: 'model-unsupported',
    line: /unknown (?:model )?architecture|unsupported model architecture|unknown pre-?tokenizer type/i,
    message: 'This version of llama.cpp does not know the kind of model.',
    action: 'Install a newer llama-server, or deploy another model.',
  },
  {
    reason: 'model-unsupported',
    line: /does not recognize this architecture|model architectures? .+ (?:is|are) not supported/i,
    message: 'This version of the engine does not know the kind of model.',
    action: 'Use a newer image, or deploy another model.',
  },
  {
    reason: 'no-runtime',
    line: /no cuda-capable device|found no nvidia driver|failed to infer device type|no neuron device/i,
    message: 'The engine found no accelerator that it can use.',
    action: "Install the accelerator's driver and let containers use it, or deploy a recipe for the CPU.",
  },
  {
    reason: 'hub',
    line: /gated ?repo|access to model .+ is restricted|repositorynotfounderror/i,
    message: 'The hub did not let the engine download the model.',
    action: "Accept the model's terms on the hub, set HF_TOKEN as a secret of the endpoint, then resume it.",
  },
  {
    reason: 'model-damaged',
    line: /tensor '.*' (?:data )?is not within|corrupted|invalid magic|failed to (?:read|load) (?:gguf|model|tensor)|error loading model|missing tensor|wrong shape/i,
    message: 'The model file cannot be loaded. It is probably damaged or incomplete.',
    action: 'Remove the file under Models and deploy again, so that it is downloaded anew.',
  },
];

/** The most lines of a log that show a cause. */
export const EVIDENCE_LINES = 12;
/** Where a debugger is installed, llama.cpp prints the stack when it gives up: the cause stands above it. */
const DEBUGGER = /^(?:#\d+ |0x[0-9a-f]+ in |\[(?:New LWP|Inferior|Thread debugging)\b|warning: .*thread_db|\s*$)/;

/** The cause that a log shows; null: none that is known. */
export function failureInLog(lines: readonly string[]): EndpointFailure | null {
  for (const { reason, line, message, action } of logRules) {
    const at = lines.findLastIndex((text) => line.test(text));
    if (at === -1) continue;
    return { reason, message, action, evidence: lines.slice(Math.max(0, at - EVIDENCE_LINES + 1), at + 1) };
  }
  return null;
}

/** A replica on a graphics card writes nothing while it loads, or does not answer its first request. */
export const DRIVER_SILENT = cardProblem('driver-silent', '10 minutes');

/** The signals that end a program by a fault in native code. llama.cpp itself gives up by SIGABRT, and says why. */
const OF_DRIVER: ReadonlySet<NodeJS.Signals> = new Set(['SIGSEGV', 'SIGBUS', 'SIGFPE']);

function driverCrashed(signal: NodeJS.Signals): Omit<EndpointFailure, 'evidence'> {
  const { message, action } = cardProblem('driver-crashed', signal);
  return { reason: 'graphics-card', message, action };
}

/** The end of a process. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Whether the kernel killed it for want of memory, as far as it shows. */
  readonly isOutOfMemory?: boolean;
  /** Whether it had a place on a graphics card. */
  readonly usesCard?: boolean;
}

/** Why a process ended by itself: from how it ended and from its log. */
export function exitFailure(
  { code, signal, isOutOfMemory = false, usesCard = false }: ProcessExit,
  lines: readonly string[],
): EndpointFailure {
  const log = lines.filter((line) => !DEBUGGER.test(line));
  const evidence = log.slice(-EVIDENCE_LINES);
  const found = failureInLog(log);
  if (found !== null) return found;
  if (usesCard && signal !== null && OF_DRIVER.has(signal)) return { ...driverCrashed(signal), evidence };
  if (signal === 'SIGKILL') return { ...killed(isOutOfMemory), evidence };
  if (signal === 'SIGILL') {
    const message = 'The processor lacks instructions that the program uses (SIGILL).';
    return { reason: 'crashed', message, action: 'Use another build of llama-server on this machine.', evidence };
  }
  const how = signal !== null ? `by ${signal}` : `with exit code ${code ?? 'unknown'}`;
  return {
    reason: 'crashed',
    message: `The process that serves the model ended ${how}.`,
    action: 'See the log, then resume the endpoint. If it happens again, try another file of the model.',
    evidence,
  };
}

function killed(isOutOfMemory: boolean): Omit<EndpointFailure, 'evidence'> {
  if (isOutOfMemory) {
    const message = 'The system ended the process that serves the model (SIGKILL), because memory ran out.';
    return { reason: 'no-memory', message, action: TOO_LITTLE_MEMORY.action };
  }
  return {
    reason: 'crashed',
    message: 'The process that serves the model was killed (SIGKILL) by the system or another program.',
    action: 'Resume the endpoint. If it happens again, close other programs, so that more memory is free.',
  };
}
