import { ModelServerError } from '../../client/chat-stream.ts';
import { DaemonError } from '../../client/daemon-error.ts';
import type { Issue } from '../../contract/common/common.ts';
import { DomainError, isSystemError } from '../../shared/domain-error.ts';
import { StorageError } from '../../shared/files/storage-errors.ts';
import { BadArguments, exitCodes, Interrupted, NoDaemon } from './errors.ts';
import { printError } from './print.ts';

/**
 * Prints why a command failed, and sets the exit code: see `exitCodes`.
 * @param program its name, which begins the line
 * @throws the error itself when it is a bug
 */
export function reportFailure(error: unknown, program = 'robot-daemon'): void {
  if (error instanceof Interrupted) {
    process.exitCode = exitCodes.interrupted;
  } else if (error instanceof NoDaemon) {
    printError(error.message);
    process.exitCode = exitCodes.noDaemon;
  } else {
    if (!isKnown(error)) throw error;
    printError(`${program}: ${error.message}${hintFor(error)}`);
    if (error instanceof BadArguments) printError('Try --help.');
    process.exitCode = error instanceof BadArguments ? exitCodes.badArguments : exitCodes.failed;
  }
}

/** An issue after a space: a sentence stands alone, and other text follows the part of the request that it is about. */
function issueText({ path, message }: Issue): string {
  return /^[A-Z"].*[.?!]$/s.test(message) ? ` ${message}` : ` ${path.join('.')}: ${message}.`;
}

/** Whether an issue says more than the message, which often is that of the only issue. */
const addsTo =
  ({ message: all }: DaemonError) =>
  ({ message }: Issue): boolean =>
    !all.includes(message);

function isKnown(error: unknown): error is Error {
  return [DomainError, DaemonError, ModelServerError].some((kind) => error instanceof kind) || isSystemError(error);
}

function hintFor(error: Error): string {
  if (error instanceof DaemonError) return error.issues.filter(addsTo(error)).map(issueText).join('');
  if (error instanceof StorageError) return ` ${error.action}`;
  return isSystemError(error) ? '. "robot-daemon doctor" finds what is wrong with the data folder.' : '';
}
