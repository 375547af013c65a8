import type { TargetPart } from '../../contract/robot/robot.ts';
import { HeadOutOfReach } from './errors.ts';
import type { PartOwners } from './part-owners.ts';
import { type ChangedParts, unreachableText } from './posture.ts';
import { headNear, type Placement, placed, type TargetPosture } from './target-posture.ts';

/** Head and body at the end of a goto. */
export interface BodyPlan {
  readonly place: Placement;
  /** The body's yaw before the head's limits. */
  readonly wantedRad: number;
  /** The goto's claim on the body. `weak`: it yields to every other command. */
  readonly claim: 'none' | 'weak' | 'own';
}

/**
 * Plans where head and body are at the end of a goto. A goto of the head turns the body along from its start, so that
 * the body does not begin with a jerk where the head would leave it.
 * @param parts the parts that the goto asks for; without the body, a `bodyYaw` is a default
 * @throws HeadOutOfReach
 */
export function planBody(
  { head, bodyYaw }: ChangedParts,
  parts: readonly TargetPart[],
  { owners, target }: { readonly owners: PartOwners; readonly target: TargetPosture },
): BodyPlan {
  const asked = parts.includes('bodyYaw') ? bodyYaw : null;
  const mover = owners.mover('bodyYaw');
  const isOwned = owners.owner('bodyYaw') !== null;
  const wantedRad = asked ?? (isOwned ? null : bodyYaw) ?? target.bodyGoalRad;
  const nearRad = asked ?? mover?.plan.bodyYaw?.to ?? target.posture.bodyYawRad;
  const restingHead = owners.mover('head')?.plan.head?.to ?? target.head;
  const place = placed(head ? headNear(head, nearRad) : restingHead, wantedRad);
  if (!place.inverse.reachable && (head || asked !== null)) throw new HeadOutOfReach(unreachableText(place.inverse));
  if (asked !== null) return { place, wantedRad, claim: 'own' };
  // A default takes the body from no motion that goes on.
  const isTaken = mover?.ownedParts.some((part) => !parts.includes(part)) === true;
  const isWanted = head !== null || (bodyYaw !== null && !isTaken);
  const claims = isWanted && !isOwned && place.inverse.reachable;
  return { place, wantedRad, claim: claims ? 'weak' : 'none' };
}
