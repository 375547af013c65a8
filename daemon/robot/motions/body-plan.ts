import type { TargetPart } from '../../contract/robot/robot.ts';
import { HeadOutOfReach } from './errors.ts';
import type { Motion } from './motion.ts';
import type { PartOwners } from './part-owners.ts';
import { type ChangedParts, unreachableText } from './posture.ts';
import { headNear, type Placement, type TargetPosture } from './target-posture.ts';

/** Head and body at the end of a goto. */
interface BodyPlan {
  readonly place: Placement;
  /** The body's yaw before the head's limits. */
  readonly wantedRad: number;
  /** The goto's claim on the body. `weak`: it yields to every other command. */
  readonly claim: 'none' | 'weak' | 'own';
}

/**
 * Plans where head and body are at the end of a goto. A goto of the head turns the body along from its start, so that
 * the body does not begin with a jerk where the head would leave it.
 * @param parts the parts that the goto asks for; without the body among them, a `bodyYaw` is a default, which gives way
 * to every motion that goes on and to a head that could not be held over it
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
  const nearRad = asked ?? mover?.plan.bodyYaw?.to ?? target.posture.bodyYawRad;
  const restingHead = owners.mover('head')?.plan.head?.to ?? target.head;
  const headAtEnd = head ? headNear(head, nearRad) : restingHead;
  const plan = (wantedRad: number, claim: BodyPlan['claim']) => ({
    place: target.placed(headAtEnd, wantedRad),
    wantedRad,
    claim,
  });
  const last = asked === null ? plan(target.bodyGoalRad, head && !isOwned ? 'weak' : 'none') : plan(asked, 'own');
  const plans = [last];
  if (asked === null && bodyYaw !== null && !isOwned && (head || !goesOn(mover, parts))) {
    plans.unshift(plan(bodyYaw, 'weak'));
  }
  const reachable = plans.find(({ place }) => place.inverse.reachable);
  if (reachable) return reachable;
  const { inverse } = last.place;
  if (!inverse.reachable && (head || asked !== null)) throw new HeadOutOfReach(unreachableText(inverse));
  return { ...last, claim: 'none' };
}

/** Whether a motion has parts left when a goto has taken its own. */
function goesOn(motion: Motion | null, taken: readonly TargetPart[]): boolean {
  return motion?.ownedParts.some((part) => !taken.includes(part)) === true;
}
