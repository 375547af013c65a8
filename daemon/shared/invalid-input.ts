import type { Issue } from '../contract/common/common.ts';
import { DomainError } from './domain-error.ts';

/** A body or a path that is not what it should be, with everything that is wrong at once. */
export class InvalidBody extends DomainError {
  readonly issues: readonly Issue[];
  constructor(message: string, issues: readonly Issue[]) {
    super(message);
    this.issues = issues;
  }
}

/** A query string that is not what it should be. */
export class InvalidQuery extends DomainError {
  readonly details: readonly Issue[];
  constructor(message: string, details: readonly Issue[]) {
    super(message);
    this.details = details;
  }
}
