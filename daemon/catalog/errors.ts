import { Conflict, DomainError, NotFound } from '../shared/domain-error.ts';

export class CatalogItemNotFound extends NotFound {
  constructor(repoId: string) {
    super(`The catalog has no model "${repoId.slice(0, 200)}".`);
  }
}

/** The catalog cannot be loaded: its file is damaged, or its service does not answer. */
export class CatalogUnavailable extends DomainError {}

export class RecipeNotFound extends NotFound {}

/** The recipe exists, but no available compute is large enough and of the right kind. */
export class NoCompatibleCompute extends Conflict {}
