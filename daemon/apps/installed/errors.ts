import { Conflict, NotFound } from '../../shared/domain-error.ts';

export class AppNotInstalled extends NotFound {
  constructor(appName: string) {
    super(`There is no installed app "${appName}". Install it first.`);
  }
}

/** The operation would change an app while it runs. */
export class AppIsRunning extends Conflict {
  constructor(appName: string) {
    super(`"${appName}" is running. Stop it first.`);
  }
}

/** Other work on the app has not ended. */
export class AppIsBeingChanged extends Conflict {
  constructor(appName: string) {
    super(`"${appName}" is being installed, updated, reset or removed. Wait for that to finish, then try again.`);
  }
}

export class AppIsPinned extends Conflict {
  constructor(appName: string) {
    super(`"${appName}" is pinned to its version. Unpin it first.`);
  }
}

export class NoPreviousVersion extends Conflict {
  constructor(appName: string) {
    super(`There is no earlier version of "${appName}".`);
  }
}
