import { displayText } from '../shared/display-text.ts';
import { Conflict, DomainError, NotFound } from '../shared/domain-error.ts';

/**
 * `missing`: no such file, on the disk or in the repository. `not-gguf`: another format, or a damaged header. `truncated`:
 * shorter than its header says. `unreadable`: no permission, not a file, or a failing disk. `ambiguous`: several files
 * match.
 */
export type ModelFileErrorKind = 'missing' | 'not-gguf' | 'truncated' | 'unreadable' | 'ambiguous';

/** A model file cannot be used. `message` says why and `action` what to do, both for people. */
export class ModelFileError extends DomainError {
  readonly kind: ModelFileErrorKind;
  readonly action: string;
  constructor(kind: ModelFileErrorKind, message: string, action: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
    this.action = action;
  }
}

export class ModelFileNotFound extends NotFound {
  constructor(id: string) {
    super(`There is no model file with the id "${displayText(id, 80)}".`);
  }
}

export class ModelFileInUse extends Conflict {
  constructor(path: string, users: readonly string[]) {
    const of =
      users.length === 0
        ? 'It is being prepared'
        : `The endpoint ${users.map((name) => `"${name}"`).join(', ')} uses it`;
    super(`${path} cannot be removed. ${of}: delete the endpoint first.`);
  }
}
