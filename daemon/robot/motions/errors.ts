import { Conflict, DomainError } from '../../shared/domain-error.ts';

/** The robot cannot reach the target, and does not move. */
export class TargetUnreachable extends DomainError {}

/** The motors cannot hold the head of the target. */
export class HeadOutOfReach extends TargetUnreachable {}

/** A motion that must not take parts from another one was requested during a motion. */
export class MotionUnderWay extends Conflict {
  constructor(name: string) {
    super(`The robot is busy ${name}. Wait until it has finished, or replace the motion.`);
  }
}

/** A recorded move that cannot be played: its samples do not belong together, or are too many. */
export class MalformedMove extends DomainError {}
