import { Conflict, DomainError, NotFound } from '../shared/domain-error.ts';

export class InvalidToken extends DomainError {
  constructor() {
    super('This token is unknown, or may not deploy. A signed-in dashboard makes one in Settings.');
  }
}

export class SessionNotFound extends NotFound {
  constructor() {
    super('This session has ended already.');
  }
}

export class TokenNameTaken extends Conflict {
  constructor(name: string) {
    super(`A token "${name}" already exists. Revoke it first, or choose another name.`);
  }
}

export class TokenNotFound extends NotFound {
  constructor(name: string) {
    super(`There is no token "${name}". It may be revoked already.`);
  }
}

export class TooManyTokens extends Conflict {
  constructor(limit: number) {
    super(`There are already ${limit} tokens, the maximum. Revoke unused ones.`);
  }
}

/** The file cannot be read. It stays as it is: it may be the only list of the tokens that exist. */
export class TokensUnreadable extends DomainError {
  constructor(file: string, cause: Error) {
    super(
      `No token is valid, because the token file cannot be read: ${cause.message.split('\n')[0]}. Restore a copy of ${file}, or remove it and create new tokens.`,
      { cause },
    );
  }
}

export class TokensUnwritable extends DomainError {
  constructor(file: string, cause: Error) {
    super(`The tokens cannot be saved in ${file}: ${cause.message}.`, { cause });
  }
}

export class TokensBusy extends DomainError {
  constructor() {
    super('Another program is changing the tokens and does not finish. Try again.');
  }
}
