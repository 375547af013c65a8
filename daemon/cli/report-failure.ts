import { DomainError } from '../shared/domain-error.ts';
import { BadArguments } from './daemon-arguments.ts';

/**
 * Says why a command could not do what it was asked; its process ends with 2 for bad arguments, else with 1.
 * @throws what is a bug
 */
export function reportFailure(error: unknown): void {
  if (!(error instanceof DomainError)) throw error;
  process.stderr.write(`robot-daemon: ${error.message}\n`);
  if (error instanceof BadArguments) process.stderr.write('Try --help.\n');
  process.exitCode = error instanceof BadArguments ? 2 : 1;
}
