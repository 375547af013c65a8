import type { Clamp, TargetPart } from '../../contract/robot/robot.ts';
import type { Posture } from '../kinematics/geometry.ts';
import { headOver } from '../kinematics/interpolation.ts';
import { planBody } from './body-plan.ts';
import { HeadOutOfReach, MotionUnderWay } from './errors.ts';
import { Motion, type MotionOptions, type StartedMotion } from './motion.ts';
import { PartOwners } from './part-owners.ts';
import { antennaClamps, antennasWithin, bodyClamps, type PostureChange, partsOf, unreachableText } from './posture.ts';
import { headNear, placed, TargetPosture } from './target-posture.ts';

/** A part of a target that was dropped, and the motion that owns it. */
export interface Dropped {
  readonly part: TargetPart;
  readonly owner: Motion;
}

/** The changes to a target. */
export interface TargetResult {
  readonly clamped: readonly Clamp[];
  readonly dropped: readonly Dropped[];
}

/** The options of a goto. */
export interface GotoOptions extends MotionOptions {
  /** Whether the body's yaw is only a default: it yields to every other command, and takes the body from none. */
  readonly bodyYawIsDefault?: boolean;
}

const allParts: readonly TargetPart[] = ['head', 'antennas', 'bodyYaw'];
/** A body that got a target within this time may be streamed: a weak claim waits as long for the next target. */
const STREAM_S = 0.15;

/**
 * The motions under way, and the target that they and streamed targets make. Head, antennas and body have one owner each:
 * a motion owns the parts that it was asked for, until it ends or a later one takes them.
 */
export class Motions {
  readonly target = new TargetPosture();
  readonly #owners = new PartOwners();
  /** In the order of their start. */
  readonly #running = new Set<Motion>();
  /** When the body last got a target. */
  #bodyTargetS = Number.NEGATIVE_INFINITY;

  /** The first of the motions under way. */
  get first(): Motion | null {
    const [first = null] = this.#running;
    return first;
  }

  /**
   * Begins a motion to a whole posture, in place of all others. It waits for the joints to follow.
   * @param at.nowS the time of the robot's clock
   */
  begin(name: string, to: Posture, { nowS, durationS }: { readonly nowS: number; readonly durationS: number }): Motion {
    const from = this.target.posture;
    this.#endAll('replaced');
    const motion = new Motion({
      name,
      parts: allParts,
      head: { from: headOver(from.head, from.bodyYawRad), to: headOver(to.head, to.bodyYawRad) },
      antennas: { from: from.antennas, to: to.antennas },
      bodyYaw: { from: from.bodyYawRad, to: to.bodyYawRad, waitS: 0 },
      bodyWantedRad: to.bodyYawRad,
      clamped: [],
      startS: nowS,
      durationS,
      method: 'minjerk',
      settle: true,
    });
    this.target.aimBody(to.bodyYawRad);
    for (const part of allParts) this.#owners.give(part, motion);
    this.#running.add(motion);
    return motion;
  }

  /**
   * Begins a motion of the parts that a change names. Motions that own one of them lose it.
   * @throws TargetUnreachable; MotionUnderWay when it must not take a part that a motion owns
   */
  goto(change: PostureChange, nowS: number, options: GotoOptions): StartedMotion {
    const { durationS, method, ifBusy } = options;
    const changed = partsOf(change);
    const { head, antennas } = changed;
    const isDefault = options.bodyYawIsDefault === true && (head !== null || antennas !== null);
    const parts = allParts.filter((part) => changed[part] !== null && !(isDefault && part === 'bodyYaw'));
    const busy = ifBusy === 'refuse' && this.#owners.anyOwner(parts);
    if (busy) throw new MotionUnderWay(busy.plan.name);
    const planned = planBody(changed, parts, { owners: this.#owners, target: this.target });
    const { place, wantedRad } = planned;
    const waitS = planned.claim === 'weak' && nowS - this.#bodyTargetS < STREAM_S ? STREAM_S : 0;
    const claim = waitS < durationS ? planned.claim : 'none';
    const { posture } = this.target;
    const motion = new Motion({
      name: 'moving',
      parts,
      head: head && { from: headOver(posture.head, posture.bodyYawRad), to: place.head },
      antennas: antennas && { from: posture.antennas, to: antennasWithin(antennas) },
      bodyYaw: claim === 'none' ? null : { from: posture.bodyYawRad, to: place.bodyYawRad, waitS },
      bodyWantedRad: wantedRad,
      clamped: [
        ...(head || claim === 'own' ? bodyClamps(wantedRad, place.bodyYawRad, place.head.yawRad) : []),
        ...antennaClamps(antennas),
      ],
      startS: nowS,
      durationS,
      method,
      settle: false,
    });
    for (const part of parts) this.#owners.give(part, motion);
    if (claim !== 'none') {
      this.#owners.give('bodyYaw', motion, { isWeak: claim === 'weak' });
      this.target.aimBody(wantedRad);
    }
    this.#endLost();
    this.#running.add(motion);
    return {
      ended: motion.ended,
      yield: () => this.#owners.weaken(motion),
      claim: () => this.#owners.strengthen(motion),
    };
  }

  /** Sets the parts of a change that no motion owns, as the target of the next tick. @throws TargetUnreachable */
  setTarget(change: PostureChange, nowS: number): TargetResult {
    const parts = partsOf(change);
    const dropped = allParts.flatMap((part) => {
      const owner = parts[part] === null ? null : this.#owners.owner(part);
      return owner ? [{ part, owner }] : [];
    });
    const isFree = (part: TargetPart) => dropped.every((one) => one.part !== part);
    const head = isFree('head') ? parts.head : null;
    const bodyYaw = isFree('bodyYaw') ? parts.bodyYaw : null;
    const antennas = isFree('antennas') ? parts.antennas : null;
    const clamped: Clamp[] = [];
    if (head || bodyYaw !== null) {
      const { posture, bodyWantedRad } = this.target;
      const wantedRad = bodyYaw ?? bodyWantedRad;
      const place = placed(head ? headNear(head, bodyYaw ?? posture.bodyYawRad) : this.target.head, wantedRad);
      // Where a motion moves the head, the body may be in its reach again at the next tick.
      if (!place.inverse.reachable && (head || !this.#owners.owner('head'))) {
        throw new HeadOutOfReach(unreachableText(place.inverse));
      }
      if (head) this.#owners.give('head', null);
      if (bodyYaw !== null) {
        this.#owners.give('bodyYaw', null);
        this.target.aimBody(bodyYaw);
        this.#bodyTargetS = nowS;
      }
      this.target.moveHeadAndBody(place.head, wantedRad);
      clamped.push(...bodyClamps(wantedRad, place.bodyYawRad, place.head.yawRad));
    }
    if (antennas) {
      this.#owners.give('antennas', null);
      this.target.moveAntennas(antennas);
      clamped.push(...antennaClamps(antennas));
    }
    this.#endLost();
    return { clamped, dropped };
  }

  /** Moves the target on along the motions. */
  advance(nowS: number): void {
    const { target } = this;
    const antennas = this.#owners.mover('antennas')?.antennasAt(nowS);
    if (antennas) target.moveAntennas(antennas);
    const head = this.#owners.mover('head')?.headAt(nowS);
    const bodyYaw = this.#owners.mover('bodyYaw')?.bodyYawAt(nowS);
    if (!head && typeof bodyYaw !== 'number') return;
    target.moveHeadAndBody(head ?? target.head, bodyYaw ?? target.bodyGoalRad);
  }

  /** Ends the motions whose time is over. @param arrived whether the joints have reached the target */
  endOver(nowS: number, arrived: () => boolean): void {
    for (const motion of this.#running) {
      if (motion.isOver(nowS, motion.plan.settle && arrived())) this.#end(motion, 'done');
    }
  }

  /** Ends all motions, and sets a posture. */
  replaceBy(posture: Posture, outcome: 'replaced' | 'stopped'): void {
    this.#endAll(outcome);
    this.target.set(posture);
  }

  /** Lets all gotos go on, but yield to every command. */
  yieldGotos(): void {
    for (const motion of this.#running) if (!motion.plan.settle) this.#owners.weaken(motion);
  }

  /** Fails all motions. */
  fail(error: Error): void {
    for (const motion of this.#running) {
      this.#running.delete(motion);
      this.#owners.release(motion);
      motion.fail(error);
    }
  }

  #endAll(outcome: 'replaced' | 'stopped'): void {
    for (const motion of this.#running) this.#end(motion, outcome);
  }

  /** Ends the motions that have lost all of their parts. */
  #endLost(): void {
    for (const motion of this.#running) if (motion.hasLostAll) this.#end(motion, 'replaced');
  }

  #end(motion: Motion, outcome: 'done' | 'replaced' | 'stopped'): void {
    const clamped = outcome === 'done' ? this.#clampsAtEnd(motion) : motion.plan.clamped;
    const movedBody = this.#owners.mover('bodyYaw') === motion;
    this.#running.delete(motion);
    this.#owners.release(motion);
    if (movedBody) this.target.settleBody();
    motion.end(outcome, clamped);
  }

  /** The clamps of a motion that ends now: another one may have turned the head or the body since its start. */
  #clampsAtEnd(motion: Motion): readonly Clamp[] {
    const { bodyWantedRad, clamped } = motion.plan;
    const mover = this.#owners.mover('bodyYaw');
    const holds = motion.ownedParts.some((part) => part !== 'antennas');
    if (!holds || (mover && mover !== motion)) return clamped;
    const wantedRad = mover ? bodyWantedRad : this.target.bodyGoalRad;
    const { posture, head } = this.target;
    return [
      ...bodyClamps(wantedRad, posture.bodyYawRad, head.yawRad),
      ...clamped.filter(({ part }) => part !== 'bodyYaw'),
    ];
  }
}
