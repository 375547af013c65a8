import { DomainError } from '../shared/domain-error.ts';

export class CatalogItemNotFound extends DomainError {
  constructor(repoId: string) {
    super(`The catalog has no model "${repoId.slice(0, 200)}".`);
  }
}

export class RecipeNotFound extends DomainError {}

/** The recipe is there, and nothing that could be had is big enough, or of the right kind. */
export class NoCompatibleCompute extends DomainError {}

/** The catalog cannot be loaded: a file that is damaged, a service that does not answer. */
export class CatalogUnavailable extends DomainError {}
