import { DomainError } from '../../shared/domain-error.ts';

/** A request that a page of another site may have caused. */
export class ForeignRequest extends DomainError {}

/** The request shows nothing that allows it. */
export class Unauthorized extends DomainError {
  constructor(
    message = 'From another machine this daemon needs a bearer token: its access token, or one made for that.',
  ) {
    super(message);
  }
}

export class PathNotFound extends DomainError {
  constructor(path: string) {
    super(`There is nothing at ${path}.`);
  }
}

export class MethodNotAllowed extends DomainError {
  readonly allowed: readonly string[];
  constructor(method: string, allowed: readonly string[]) {
    super(`${method} is not possible here; ${allowed.join(' and ')} is.`);
    this.allowed = allowed;
  }
}

export class TooManyStreams extends DomainError {
  constructor(limit: number) {
    super(`${limit} pages are watching already. Close one of them.`);
  }
}
