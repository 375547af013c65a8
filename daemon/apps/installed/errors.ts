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

export class AppIsBeingInstalled extends Conflict {
  constructor(appName: string) {
    super(`"${appName}" is being installed. Wait for it to finish, or cancel it.`);
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
