import { Conflict, DomainError, NotFound } from '../shared/domain-error.ts';

/** The robot cannot move: it is disconnected, in error, or asleep. */
export class RobotUnavailable extends DomainError {}

/** The operation needs a simulated robot. */
export class NotSimulated extends Conflict {
  constructor() {
    super('This robot is not simulated. Start the daemon with --sim or --emulator.');
  }
}

export class MotionRefused extends Conflict {}

/** A hello with a run token that is not that of the running app. */
export class UnknownRun extends DomainError {
  constructor() {
    super('This run of the app has ended. Start the app again.');
  }
}

export class MoveNotFound extends NotFound {
  constructor(name: string) {
    super(`The robot has no move of the name "${name}".`);
  }
}
