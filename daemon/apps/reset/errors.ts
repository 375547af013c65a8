import type { AppContents } from '../../contract/apps/reset.ts';
import { contentsText } from '../../contract/apps/reset-text.ts';
import { displayText } from '../../shared/display-text.ts';
import { Conflict } from '../../shared/domain-error.ts';

export class NothingToReset extends Conflict {
  constructor(appName: string) {
    super(`"${appName}" has saved no files, and has no variables.`);
  }
}

export class NoResetToUndo extends Conflict {
  constructor(appName: string) {
    super(`There is no reset of "${appName}" to undo. One can be undone for 24 hours, until the next reset.`);
  }
}

/** An undo would remove what the app has saved since, the variables that were set, or files that find no place again. */
export class SavedSinceReset extends Conflict {
  readonly code = 'saved-since-reset';

  /** @param leftOut the files beside the code in whose places the live version has files of its own */
  constructor(appName: string, contents: AppContents, leftOut: readonly string[] = []) {
    const text = contentsText(contents);
    const since = text && `An undo of the reset deletes for good what was saved since: ${text}.`;
    super([since, leftOutText(appName, leftOut)].filter(Boolean).join(' '));
  }
}

function leftOutText(appName: string, [first, ...others]: readonly string[]): string | null {
  if (first === undefined) return null;
  const files = others.length === 0 ? shown(first) : `${shown(first)} and ${others.length} more files`;
  return `Its version now has files of its own where "${appName}" had saved ${files} beside its code. The undo would leave that out for good.`;
}

/** Files beside the code belong to the version that saved them, which can be returned to. */
export class OtherVersionSinceReset extends Conflict {
  /** @param versions may be equal: a version may have been installed again */
  constructor(appName: string, versions: { readonly atReset: string; readonly now: string }) {
    const { atReset, now } = versions;
    super(
      atReset === now
        ? `"${appName}" was installed again since its reset, and had saved files beside its code. Return to the earlier installation, then undo the reset.`
        : `"${appName}" had version ${atReset} when it was reset, and saved files beside that code. Return to it, then undo the reset.`,
    );
  }
}

/** Something is in the place of a file that goes back there. */
export class PlaceTaken extends Conflict {
  constructor(path: string) {
    super(
      `${shown(path)} is in the way of what was set aside, and is not replaced. Move it elsewhere, then try again.`,
    );
  }
}

/** The app would start in the middle of a reset or its undo. */
export class AppIsBeingReset extends Conflict {
  constructor(appName: string) {
    super(`"${appName}" is being reset. Start it once that is done.`);
  }
}

/** A part of the app's files could not be put back. */
export class ResetInterrupted extends Conflict {
  constructor(appName: string) {
    super(`A reset of "${appName}" was interrupted, and some of its files are still set aside. Undo the reset first.`);
  }
}

/** A part of what an app has saved cannot be listed; it would be removed unseen, or stay unseen. */
export class SavedUnreadable extends Conflict {
  constructor(path: string, code: string | undefined) {
    const isForbidden = code === 'EACCES' || code === 'EPERM';
    const action = isForbidden ? "Give the daemon's user the right to read it" : 'Move it elsewhere';
    super(`${shown(path)} cannot be read (${code}), so what is in it is not known. ${action}, then try again.`);
  }
}

/** Without the list of a package's files, its code cannot be told from what the app has saved beside it. */
export class CodeUnknown extends Conflict {
  constructor(list: string) {
    super(
      `The list of a package's files, ${shown(list)}, is missing or cannot be read, so its code looks like files of the app. Install the app again, then try again.`,
    );
  }
}

/** More files beside the code than a record can name. */
export class TooManyBesideCode extends Conflict {
  constructor(most: number) {
    super(
      `The app has saved more than ${most.toLocaleString('en')} files beside its code, too many for a reset. Remove the app and install it again.`,
    );
  }
}

/** The system does not move a file or folder: it is a disk of its own, or in use. */
export class NotMovable extends Conflict {
  constructor(path: string, code: string) {
    super(
      `${shown(path)} cannot be moved (${code}). It may be a disk of its own, or be in use by another program. Unmount it or end that program, then try again.`,
    );
  }
}

const shown = (path: string): string => displayText(path, 300);
