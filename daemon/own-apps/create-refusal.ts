import { AppNameUnusable, DestinationReadOnly } from '../assistant/errors.ts';
import { visibleText } from '../shared/display-text.ts';
import { InvalidBody } from '../shared/invalid-input.ts';

const forbidden: ReadonlySet<string | undefined> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST']);

/** Names the field of a request that keeps an app from being created. @throws InvalidBody, or the error itself */
export function throwRefusal(error: unknown, destination: string): never {
  if (error instanceof AppNameUnusable) throw refused('name', error.message);
  if (error instanceof DestinationReadOnly) throw refused('destination', error.message);
  if (!forbidden.has((error as NodeJS.ErrnoException).code)) throw error;
  throw refused('destination', `Your user may not create ${visibleText(destination)}. Choose another folder.`);
}

function refused(field: string, message: string): InvalidBody {
  return new InvalidBody(message, [{ path: [field], message }]);
}
