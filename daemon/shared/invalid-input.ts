import type { Issue } from '../contract/common/common.ts';
import { DomainError } from './domain-error.ts';

/** An invalid body or path, with every issue found. */
export class InvalidBody extends DomainError {
  readonly issues: readonly Issue[];
  constructor(message: string, issues: readonly Issue[]) {
    super(message);
    this.issues = issues;
  }
}

/** An invalid query string, with every issue found. */
export class InvalidQuery extends DomainError {
  readonly details: readonly Issue[];
  constructor(message: string, details: readonly Issue[]) {
    super(message);
    this.details = details;
  }
}
