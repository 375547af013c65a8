import type { SlotHolder } from '../../contract/apps/app-slot.ts';
import { Conflict, DomainError, NotFound } from '../../shared/domain-error.ts';
import { listText } from '../../shared/list-text.ts';

export class AppAlreadyRunning extends Conflict {
  constructor(holder: SlotHolder) {
    super(
      holder.kind === 'managed-app'
        ? `An app is already running: "${holder.appName}". Stop the current app first.`
        : `An app is already running: "${holder.name}", ${whereFrom[holder.kind]}. Stop it first.`,
    );
  }
}

const whereFrom = {
  'local-app': 'a program on this machine that was not started here',
  'remote-session': 'a remote session',
} as const;

export class NoAppRunning extends Conflict {
  constructor() {
    super('No app is running.');
  }
}

/** The slot is held by a program that the daemon did not start. */
export class NotOurApp extends Conflict {
  constructor(name: string) {
    super(`"${name}" was not started here, so it cannot be stopped here. Stop that program itself.`);
  }
}

export class StartCancelled extends Conflict {
  constructor(appName: string) {
    super(`The start of "${appName}" was cancelled.`);
  }
}

/** The app's process could not be started. */
export class AppCannotStart extends DomainError {
  constructor(appName: string, cause: Error) {
    super(`"${appName}" could not be started: ${cause.message}. Install it again.`, { cause });
  }
}

export class RunNotFound extends NotFound {
  constructor(runId: string) {
    super(`There is no run ${runId}, or its output is no longer kept.`);
  }
}

export class FinishedRunNotFound extends NotFound {
  constructor(runId: string) {
    super(`There is no run ${runId}, or it has not ended.`);
  }
}

/** Secrets were encrypted with another key, or their file was changed. */
export class VariablesUnreadable extends Conflict {
  constructor(appName: string, variables: readonly string[]) {
    const names = listText(variables);
    super(
      `The ${variables.length > 1 ? 'secrets' : 'secret'} ${names} of "${appName}" cannot be read. Set ${names} again.`,
    );
  }
}

/** Thrown once; afterwards the app has no variables. */
export class VariablesDamaged extends Conflict {
  constructor(appName: string) {
    super(`The variables of "${appName}" were damaged and have been set aside. Set them again.`);
  }
}
