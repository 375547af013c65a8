import { DomainError } from '../../shared/domain-error.ts';

/** The catalog cannot be loaded: its file is damaged, or its service does not answer. */
export class CatalogUnavailable extends DomainError {}
