import type { DesktopChanges, DesktopStatus, UpdateStep } from '../contract/desktop.ts';
import { Conflict } from './domain-error.ts';

/** The desktop program around a daemon, as far as the dashboard shows and changes it. */
export interface DesktopHost {
  readonly status: DesktopStatus;
  /** Calls the listener after each change of the status. */
  readonly onChange: (listener: () => void) => void;
  /** @throws StorageError when it cannot be saved, Conflict when the system refuses it; that setting then stays */
  readonly change: (changes: DesktopChanges) => Promise<DesktopStatus>;
  /** Begins a step of an update, and does not wait for its end. @throws Conflict when it does not suit the state */
  readonly update: (step: UpdateStep) => DesktopStatus;
}

class NoDesktopProgram extends Conflict {
  constructor() {
    super('This daemon runs without a window, and has no settings of one.');
  }
}

const refuse = (): never => {
  throw new NoDesktopProgram();
};

/** In the place of a desktop program where there is none. */
export const noDesktop: Pick<DesktopHost, 'change' | 'update'> = { change: async () => refuse(), update: refuse };
