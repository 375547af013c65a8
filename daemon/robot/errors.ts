import { DomainError } from '../shared/domain-error.ts';

/** The robot cannot move now: disconnected, in error, or asleep. */
export class RobotUnavailable extends DomainError {}

/** A target that the robot cannot take; it stays where it is. */
export class TargetUnreachable extends DomainError {}

/** A motion that was not to replace another one, and found one under way. */
export class MotionUnderWay extends DomainError {
  constructor(name: string) {
    super(`The robot is busy ${name}. Wait for the end of that, or replace it.`);
  }
}

/** Asked of a real robot what only a simulated one can do. */
export class NotSimulated extends DomainError {
  constructor() {
    super('This robot is a real one. Start the daemon with --sim or --emulator for that.');
  }
}

/** Something else has the robot. */
export class MotionRefused extends DomainError {}

/** A hello with a run token that is not, or no longer, that of the running app. */
export class UnknownRun extends DomainError {
  constructor() {
    super('This run of the app has ended. Start the app again.');
  }
}
