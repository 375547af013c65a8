import { DomainError } from '../../shared/domain-error.ts';

export class RecipeNotFound extends DomainError {}

/** The recipe exists, but no available compute is large enough and of the right kind. */
export class NoCompatibleCompute extends DomainError {}
