import type { AppContents } from '../../contract/apps/reset.ts';
import { contentsText } from '../../contract/apps/reset-text.ts';
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

/** An undo would replace what the app has saved since, and the variables that were set. */
export class SavedSinceReset extends Conflict {
  readonly code = 'saved-since-reset';

  constructor(appName: string, contents: AppContents) {
    super(`Since its reset, "${appName}" has ${contentsText(contents)} again. The undo would remove that for good.`);
  }
}

/** Files beside the code belong to the version that saved them. */
export class OtherVersionSinceReset extends Conflict {
  constructor(appName: string, version: string) {
    super(
      `"${appName}" had version ${version} when it was reset, and saved files beside that code. Return to it, then undo the reset.`,
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
