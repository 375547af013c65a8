import type { ContainerExit } from '../../containers/container-engine.ts';
import { byteText } from '../../contract/common/byte-text.ts';
import type { EndpointFailure } from '../../contract/endpoints/endpoint-report.ts';
import { EVIDENCE_LINES, failureInLog } from './exit-cause.ts';
import { TOO_LITTLE_MEMORY } from './log-rules.ts';

/** 128 + SIGKILL. Engines report it without a word of memory where their system does not tell them. */
const KILLED = 137;

/**
 * Why a container ended by itself.
 * @param lines its output, oldest first
 * @param memoryBytes the most that it might take; null: no limit
 * @param engine the program that ran it, such as "Podman 4.3.1"
 */
export function containerFailure(
  { code, how, isOutOfMemory }: ContainerExit,
  { lines, memoryBytes, engine }: { lines: readonly string[]; memoryBytes: number | null; engine: string },
): EndpointFailure {
  const evidence = lines.slice(-EVIDENCE_LINES);
  switch (how) {
    case 'removed':
      return {
        reason: 'container-engine',
        message: 'Somebody removed the container of the endpoint, with a command or another program.',
        action: 'Resume the endpoint. To end it, pause it here instead.',
        evidence,
      };
    case 'engine-gone':
      return {
        reason: 'container-engine',
        message: `${engine} ended, and the container with it.`,
        action: 'Start it again, then resume the endpoint.',
        evidence,
      };
    case 'exited': {
      const found = isOutOfMemory ? null : failureInLog(lines);
      if (found !== null) return found;
      if (isOutOfMemory || (code === KILLED && memoryBytes !== null)) {
        return { ...outOfMemory(isOutOfMemory, memoryBytes), evidence };
      }
      return {
        reason: 'crashed',
        message: `The container that serves the model ended with exit code ${code ?? 'unknown'}.`,
        action: 'See the log, change what it names, then resume the endpoint.',
        evidence,
      };
    }
  }
}

function outOfMemory(isCertain: boolean, memoryBytes: number | null): Omit<EndpointFailure, 'evidence'> {
  const limit = memoryBytes === null ? '' : ` It might take ${byteText(memoryBytes)}.`;
  return {
    reason: 'no-memory',
    message: isCertain
      ? `The system ended the container because it took too much memory.${limit}`
      : `The container was killed (exit code ${KILLED}), most likely because it took too much memory.${limit}`,
    action: TOO_LITTLE_MEMORY.action,
  };
}
