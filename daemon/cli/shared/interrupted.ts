import { DomainError } from '../../shared/domain-error.ts';

/** The user interrupted a command with Ctrl-C, or another program ended it. */
export class Interrupted extends DomainError {
  constructor() {
    super('Interrupted.');
  }
}
