import { DomainError } from '../shared/domain-error.ts';

export class CatalogItemNotFound extends DomainError {
  constructor(repoId: string) {
    super(`The catalog has no model "${repoId.slice(0, 200)}".`);
  }
}
