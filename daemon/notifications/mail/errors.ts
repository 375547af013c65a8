import { Conflict, DomainError } from '../../shared/domain-error.ts';

export class NoMailServer extends Conflict {
  constructor() {
    super('No mail server is set up. Enter one in Settings, under Mail.');
  }
}

/** A mail was not sent. `message` says why and `action` what to do, both for people. */
export class MailFailed extends DomainError {
  readonly action: string;
  /** Whether the same mail may be sent later without a change of the settings. */
  readonly isTemporary: boolean;
  constructor(message: string, action: string, isTemporary: boolean) {
    super(message);
    this.action = action;
    this.isTemporary = isTemporary;
  }
}
