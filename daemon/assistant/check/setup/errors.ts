import { visibleText } from '../../../shared/display-text.ts';
import { DomainError } from '../../../shared/domain-error.ts';

/** There is no folder to check. */
export class AppFolderMissing extends DomainError {
  constructor(path: string, isFile: boolean) {
    super(`${visibleText(path)} ${isFile ? 'is not a folder' : 'does not exist, or may not be read'}. Check the path.`);
  }
}
