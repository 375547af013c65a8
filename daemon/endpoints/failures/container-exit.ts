import type { ContainerExit } from '../../containers/container-engine.ts';
import { byteText } from '../../contract/common/byte-text.ts';
import type { EndpointFailure } from '../../contract/endpoints/endpoint-report.ts';
import { EVIDENCE_LINES, failureInLog, TOO_LITTLE_MEMORY } from './exit-cause.ts';

/** 128 + SIGKILL. Engines report it without a word of memory where their system does not tell them. */
const KILLED = 137;
/** A program that used more of its limit at the last look, some seconds before, has probably run out of memory. */
const MUCH_OF_LIMIT = 0.8;

const RESUME = 'Resume the endpoint. If it happens again, close other programs, so that more memory is free.';

/** The memory of a container, in bytes. */
interface ContainerMemory {
  /** The most that it might take; null: no limit. */
  readonly limitBytes: number | null;
  /** As it was measured last, some seconds before its end; null: never. */
  readonly usedBytes: number | null;
}

/**
 * Why a container ended by itself.
 * @param last `lines`: its output, oldest first; `engine`: the program that ran it, such as "Podman 4.3.1"
 */
export function containerFailure(
  { code, how, isOutOfMemory }: ContainerExit,
  last: { readonly lines: readonly string[]; readonly memory: ContainerMemory; readonly engine: string },
): EndpointFailure {
  const { lines, memory, engine } = last;
  const evidence = lines.slice(-EVIDENCE_LINES);
  switch (how) {
    case 'removed': {
      const message = 'Somebody removed the container of the endpoint, with a command or another program.';
      return { reason: 'container-engine', message, action: RESUME, evidence };
    }
    case 'paused': {
      const message = 'Somebody paused the container of the endpoint, with a command or another program.';
      const action = 'Resume the endpoint. To let it rest, pause it here instead.';
      return { reason: 'container-engine', message, action, evidence };
    }
    case 'engine-gone': {
      const message = `${engine} ended, and the container with it.`;
      return { reason: 'container-engine', message, action: 'Start it again, then resume the endpoint.', evidence };
    }
    case 'exited': {
      const found = isOutOfMemory ? null : failureInLog(lines);
      if (found !== null) return found;
      if (isOutOfMemory) return { ...outOfMemory(memory), evidence };
      if (code === KILLED) return { ...killed(memory), evidence };
      const message = `The container that serves the model ended with exit code ${code ?? 'unknown'}.`;
      const action = 'See the log, change what it names, then resume the endpoint.';
      return { reason: 'crashed', message, action, evidence };
    }
  }
}

type Cause = Omit<EndpointFailure, 'evidence'>;

const outOfMemory = ({ limitBytes }: ContainerMemory): Cause => ({
  reason: 'no-memory',
  message: `The system ended the container because it took too much memory.${limitText(limitBytes)}`,
  action: TOO_LITTLE_MEMORY.action,
});

function killed({ limitBytes, usedBytes }: ContainerMemory): Cause {
  const message = `The container was killed (exit code ${KILLED})`;
  if (usedBytes !== null && limitBytes !== null && usedBytes >= MUCH_OF_LIMIT * limitBytes) {
    const cause = `${message}, most likely because it took too much memory.${limitText(limitBytes)}`;
    return { reason: 'no-memory', message: cause, action: TOO_LITTLE_MEMORY.action };
  }
  const limit = limitBytes === null ? '' : ` of the ${byteText(limitBytes)} that it might take`;
  const used = usedBytes === null ? '' : `: when last measured, it used ${byteText(usedBytes)}${limit}`;
  return { reason: 'crashed', message: `${message} by the system or another program${used}.`, action: RESUME };
}

const limitText = (limitBytes: number | null) => (limitBytes === null ? '' : ` It might take ${byteText(limitBytes)}.`);
