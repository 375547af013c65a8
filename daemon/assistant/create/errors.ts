import { DomainError } from '../../shared/domain-error.ts';

/** No app can be called so. */
export class AppNameUnusable extends DomainError {
  /** A similar name that can be used; null: there is none. */
  readonly suggestion: string | null;

  /** @param reason a sentence that names the name */
  constructor(reason: string, suggestion: string | null = null) {
    super(suggestion === null ? reason : `${reason} Try "${suggestion}".`);
    this.suggestion = suggestion;
  }
}

/** The folder in which the app is to be created is not there. */
export class DestinationMissing extends DomainError {}

/** Nothing can be created in the destination. */
export class DestinationReadOnly extends DomainError {}

/** Something bears the name of the app's folder. */
export class AppFolderExists extends DomainError {
  constructor(folder: string) {
    super(`${folder} exists already. Nothing was changed. Choose another name or another folder.`);
  }
}
