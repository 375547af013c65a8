import { DomainError } from '../../shared/domain-error.ts';

/** Invalid command line. */
export class BadArguments extends DomainError {}
