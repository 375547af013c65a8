import { DomainError } from '../shared/domain-error.ts';
import { BadArguments } from './daemon-arguments.ts';

/**
 * Prints why a command failed, and sets the exit code: 2 for bad arguments, else 1.
 * @throws the error itself when it is a bug
 */
export function reportFailure(error: unknown): void {
  if (!(error instanceof DomainError)) throw error;
  process.stderr.write(`robot-daemon: ${error.message}\n`);
  if (error instanceof BadArguments) process.stderr.write('Try --help.\n');
  process.exitCode = error instanceof BadArguments ? 2 : 1;
}
