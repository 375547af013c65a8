import { DomainError } from '../shared/domain-error.ts';

/** Nobody is let in with that. */
export class InvalidToken extends DomainError {
  constructor() {
    super('This token is not known here, or may not deploy. "robot-daemon token create" makes one that may.');
  }
}

export class TokenNameTaken extends DomainError {
  constructor(name: string) {
    super(`There is a token "${name}" already. Revoke it first, or choose another name.`);
  }
}

export class TokenNotFound extends DomainError {
  constructor(name: string) {
    super(`There is no token "${name}". "robot-daemon token list" shows those that there are.`);
  }
}

export class TooManyTokens extends DomainError {
  constructor(limit: number) {
    super(`There are ${limit} tokens already. Revoke those that nobody uses.`);
  }
}

/** What is kept cannot be read. It is left as it is: it may be all that is known of who was let in. */
export class TokensUnreadable extends DomainError {
  constructor(file: string, cause: Error) {
    super(
      `No token is valid, because their file cannot be read: ${cause.message.split('\n')[0]}. Put back a copy of ${file}, or remove it and make new tokens.`,
      { cause },
    );
  }
}

export class TokensUnwritable extends DomainError {
  constructor(file: string, cause: Error) {
    super(`The tokens cannot be kept in ${file}: ${cause.message}.`, { cause });
  }
}

export class TokensBusy extends DomainError {
  constructor() {
    super('Another program is changing the tokens and does not come to an end. Try again.');
  }
}
