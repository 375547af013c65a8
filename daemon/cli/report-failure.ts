import { DaemonError } from '../client/daemon-error.ts';
import { DomainError } from '../shared/domain-error.ts';
import { StorageError } from '../shared/files/storage-errors.ts';
import { isSystemError } from '../shared/system-error.ts';
import { BadArguments } from './daemon-arguments.ts';
import { printError } from './print.ts';

/**
 * Prints why a command failed, and sets the exit code: 2 for bad arguments, else 1.
 * @throws the error itself when it is a bug
 */
export function reportFailure(error: unknown): void {
  if (!(error instanceof DomainError || error instanceof DaemonError || isSystemError(error))) throw error;
  printError(`robot-daemon: ${error.message}${hintFor(error)}`);
  if (error instanceof BadArguments) printError('Try --help.');
  process.exitCode = error instanceof BadArguments ? 2 : 1;
}

function hintFor(error: Error): string {
  if (error instanceof StorageError) return ` ${error.action}`;
  return isSystemError(error) ? '. "robot-daemon doctor" finds what is wrong with the data folder.' : '';
}
