import { DomainError } from '../shared/domain-error.ts';

/** The robot cannot move: it is disconnected, in error, or asleep. */
export class RobotUnavailable extends DomainError {}

/** The robot cannot reach the target, and does not move. */
export class TargetUnreachable extends DomainError {}

/** A motion that must not replace another one was requested during a motion. */
export class MotionUnderWay extends DomainError {
  constructor(name: string) {
    super(`The robot is busy ${name}. Wait until it has finished, or replace the motion.`);
  }
}

/** The operation needs a simulated robot. */
export class NotSimulated extends DomainError {
  constructor() {
    super('This robot is not simulated. Start the daemon with --sim or --emulator.');
  }
}

/** Another program holds the slot. */
export class MotionRefused extends DomainError {}

/** A hello with a run token that is not that of the running app. */
export class UnknownRun extends DomainError {
  constructor() {
    super('This run of the app has ended. Start the app again.');
  }
}
