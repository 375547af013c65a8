import type { EndpointFailure } from '../../contract/endpoints/endpoint-report.ts';
import type { ReplicaExit } from '../runtime/endpoint-runtime.ts';

const EVIDENCE_LINES = 12;
/** Where a debugger is installed, llama.cpp prints the stack when it gives up: the cause stands above it. */
const DEBUGGER = /^(?:#\d+ |0x[0-9a-f]+ in |\[(?:New LWP|Inferior|Thread debugging)\b|warning: .*thread_db|\s*$)/;

interface Rule {
  readonly reason: EndpointFailure['reason'];
  /** A line of the log that shows the cause. */
  readonly line: RegExp;
  readonly message: string;
  readonly action: string;
}

const TOO_LITTLE_MEMORY = {
  message: 'There is too little memory for the model.',
  action: 'Close other programs, or deploy a smaller model or a shorter context; then resume it.',
};

/** The messages of llama.cpp, in its server and in the bundled runner. The first rule with a line in the log applies. */
const rules: readonly Rule[] = [
  {
    reason: 'invalid-setting',
    line: /^error: (?:invalid|unknown) argument|error while handling argument|^usage: /i,
    message: 'The server does not know one of the arguments.',
    action: "Change the endpoint's arguments; the log names the one that was refused.",
  },
  {
    reason: 'no-memory',
    line: /out of memory|failed to allocate|unable to allocate|cannot allocate memory|bad_alloc|insufficient (?:memory|vram)/i,
    ...TOO_LITTLE_MEMORY,
  },
  {
    reason: 'model-unsupported',
    line: /unknown (?:model )?architecture|unsupported model architecture|unknown pre-?tokenizer type/i,
    message: 'This version of llama.cpp does not know the kind of model.',
    action: 'Install a newer llama-server, or deploy another model.',
  },
  {
    reason: 'model-damaged',
    line: /tensor '.*' (?:data )?is not within|corrupted|invalid magic|failed to (?:read|load) (?:gguf|model|tensor)|error loading model|missing tensor|wrong shape/i,
    message: 'The model file cannot be loaded. It is probably damaged or incomplete.',
    action: 'Remove the file under Models and deploy again, so that it is downloaded anew.',
  },
];

/** Why a replica ended by itself, from how it ended and from its log. */
export function exitFailure(
  { code, signal }: Omit<ReplicaExit, 'isStopped'>,
  lines: readonly string[],
): EndpointFailure {
  const log = lines.filter((line) => !DEBUGGER.test(line));
  const evidence = log.slice(-EVIDENCE_LINES);
  for (const { reason, line, message, action } of rules) {
    const at = log.findLastIndex((text) => line.test(text));
    if (at === -1) continue;
    return { reason, message, action, evidence: log.slice(Math.max(0, at - EVIDENCE_LINES + 1), at + 1) };
  }
  if (signal === 'SIGKILL') {
    const message = 'The system ended the process (SIGKILL), most likely because memory ran out.';
    return { reason: 'no-memory', message, action: TOO_LITTLE_MEMORY.action, evidence };
  }
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
