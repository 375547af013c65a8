import type { EndpointFailure } from '../../contract/endpoints/endpoint-report.ts';
import type { ReplicaExit } from '../runtime/endpoint-runtime.ts';
import { logRules, TOO_LITTLE_MEMORY } from './log-rules.ts';

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

/** Why a replica ended by itself: as its runtime says, else from how it ended and from its log. */
export function exitFailure(
  { code, signal, failure, isOutOfMemory = false }: Omit<ReplicaExit, 'isStopped'>,
  lines: readonly string[],
): EndpointFailure {
  if (failure) return failure;
  const log = lines.filter((line) => !DEBUGGER.test(line));
  const evidence = log.slice(-EVIDENCE_LINES);
  const found = failureInLog(log);
  if (found !== null) return found;
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
