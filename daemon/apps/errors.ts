import type { SlotHolder } from '../contract/apps.ts';
import { DomainError } from '../shared/domain-error.ts';

export class AppNotInstalled extends DomainError {
  constructor(appName: string) {
    super(`There is no installed app "${appName}". Install it first.`);
  }
}

export class AppAlreadyRunning extends DomainError {
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

export class NoAppRunning extends DomainError {
  constructor() {
    super('No app is running.');
  }
}

/** The holder of the slot is not ours to stop. */
export class NotOurApp extends DomainError {
  constructor(name: string) {
    super(`"${name}" was not started here, so it cannot be stopped from here. End that program itself.`);
  }
}

export class StartCancelled extends DomainError {
  constructor(appName: string) {
    super(`The start of "${appName}" was cancelled.`);
  }
}

/** The app's process could not even be made. */
export class AppNotStartable extends DomainError {
  constructor(appName: string, cause: Error) {
    super(`"${appName}" could not be started: ${cause.message}. Install it again.`, { cause });
  }
}
