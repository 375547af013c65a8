import type { DroppedPart, TargetPart } from '../../contract/robot/robot.ts';
import type { Dropped } from './motions.ts';

const partNames: Readonly<Record<TargetPart, string>> = { head: 'head', antennas: 'antennas', bodyYaw: 'body' };

/** A dropped part of a target, with the reason for people. */
export function droppedPart({ part, owner }: Dropped): DroppedPart {
  return {
    part,
    why: `Targets for the ${partNames[part]} are dropped until the robot has finished ${owner.plan.name}.`,
  };
}
