import { DomainError, NotFound } from '../../shared/domain-error.ts';

/** A request that may come from a page of another site. */
export class ForeignRequest extends DomainError {}

/** The request has no valid credentials. */
export class Unauthorized extends DomainError {
  constructor(
    message = 'From another machine this daemon needs a bearer token: its access token, or a token with the scope "daemon".',
  ) {
    super(message);
  }
}

/** The caller is known, and may not do this. */
export class NotAllowed extends DomainError {}

export class PathNotFound extends NotFound {
  constructor(path: string) {
    super(`There is nothing at ${path}.`);
  }
}

export class MethodNotAllowed extends DomainError {
  readonly allowed: readonly string[];
  constructor(method: string, allowed: readonly string[]) {
    super(`${method} is not allowed here. Use ${allowed.join(' or ')}.`);
    this.allowed = allowed;
  }
}

export class TooManyStreams extends DomainError {
  constructor(limit: number) {
    super(`${limit} pages are already connected, the maximum. Close one of them.`);
  }
}
