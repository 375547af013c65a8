import { DomainError } from '../shared/domain-error.ts';

/** A request that a page of another site may have caused. */
export class ForeignRequest extends DomainError {}

export class Unauthorized extends DomainError {
  constructor() {
    super('From another machine this daemon needs its access token as a bearer token.');
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
