import { DomainError } from '../shared/domain-error.ts';

/** The robot cannot move now: disconnected, in error, or asleep. */
export class RobotUnavailable extends DomainError {}

/** A target that the robot cannot take; it stays where it is. */
export class TargetUnreachable extends DomainError {}

/** Something else has the robot. */
export class MotionRefused extends DomainError {}

/** A hello with a run token that is not, or no longer, that of the running app. */
export class UnknownRun extends DomainError {
  constructor() {
    super('This run of the app has ended. Start the app again.');
  }
}
