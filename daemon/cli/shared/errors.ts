import { DomainError } from '../../shared/domain-error.ts';

export class BadArguments extends DomainError {}

/** The user interrupted a command with Ctrl-C, or another program ended it. */
export class Interrupted extends DomainError {
  constructor() {
    super('Interrupted.');
  }
}

export class NoDaemon extends DomainError {
  /** @param advice what to do, a sentence */
  constructor(folder: string, advice: string) {
    super(`No robot daemon runs on ${folder}. ${advice}`);
  }
}

/** The exit codes of commands beside 0, done. */
export const exitCodes = { failed: 1, badArguments: 2, noDaemon: 3, interrupted: 130 } as const;
