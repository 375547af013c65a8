import { DomainError } from '../shared/domain-error.ts';

export class NoticeNotFound extends DomainError {
  constructor() {
    super('There is no such notification. It may have been cleared.');
  }
}
