import { type Clamp, type IfBusy, TargetPart } from '../../contract/robot/robot.ts';
import type { Posture } from '../kinematics/geometry.ts';
import { headBetween, headOver, mix } from '../kinematics/interpolation.ts';
import { planBody } from './body-plan.ts';
import { HeadOutOfReach, MotionUnderWay } from './errors.ts';
import { type Dropped, Motion, type MotionOptions, type StartedMotion } from './motion.ts';
import { PartOwners } from './part-owners.ts';
import {
  antennaClamps,
  antennasBetween,
  antennasWithin,
  bodyClamps,
  type PostureChange,
  partsOf,
  unreachableText,
} from './posture.ts';
import { type MoveStart, movePlan, type RecordedMove } from './recorded-move.ts';
import { headNear, TargetPosture } from './target-posture.ts';
import { easedWay } from './way.ts';

export interface TargetResult {
  readonly clamped: readonly Clamp[];
  readonly dropped: readonly Dropped[];
}

export interface GotoOptions extends MotionOptions {
  /** Whether the body's yaw is only a default: it yields to every other command, and takes the body from none. */
  readonly bodyYawIsDefault?: boolean;
}

export interface PlayOptions extends Pick<MoveStart, 'initialGotoS' | 'name'> {
  readonly ifBusy: IfBusy;
}

const allParts = TargetPart.options;
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

  /** The move of the robot's own set that is under way. */
  get ownMove(): string | null {
    for (const { plan } of this.#running) if (plan.move !== null) return plan.move;
    return null;
  }

  /**
   * Begins a motion to a whole posture, in place of all others. It waits for the joints to follow.
   * @param at.nowS the time of the robot's clock
   */
  begin(name: string, to: Posture, { nowS, durationS }: { readonly nowS: number; readonly durationS: number }): Motion {
    const from = this.target.posture;
    this.#endAll('replaced');
    const easing = { durationS, method: 'minjerk' } as const;
    const [fromHead, toHead] = [headOver(from.head, from.bodyYawRad), headOver(to.head, to.bodyYawRad)];
    const motion = new Motion({
      name,
      move: null,
      parts: allParts,
      head: easedWay(fromHead, toHead, headBetween, easing),
      antennas: easedWay(from.antennas, to.antennas, antennasBetween, easing),
      bodyYaw: easedWay(from.bodyYawRad, to.bodyYawRad, mix, easing),
      bodyWantedRad: to.bodyYawRad,
      clamped: [],
      wayClamps: null,
      startS: nowS,
      durationS,
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
    this.#requireFree(parts, ifBusy);
    const planned = planBody(changed, parts, { owners: this.#owners, target: this.target });
    const { place, wantedRad } = planned;
    const waitS = planned.claim === 'weak' && nowS - this.#bodyTargetS < STREAM_S ? STREAM_S : 0;
    const claim = waitS < durationS ? planned.claim : 'none';
    const { posture } = this.target;
    const easing = { durationS, method };
    const motion = new Motion({
      name: 'moving',
      move: null,
      parts,
      head: head && easedWay(headOver(posture.head, posture.bodyYawRad), place.head, headBetween, easing),
      antennas: antennas && easedWay(posture.antennas, antennasWithin(antennas), antennasBetween, easing),
      bodyYaw: claim === 'none' ? null : easedWay(posture.bodyYawRad, place.bodyYawRad, mix, { ...easing, waitS }),
      bodyWantedRad: wantedRad,
      clamped: [
        ...(head || claim === 'own' ? bodyClamps(wantedRad, place.bodyYawRad, place.head.yawRad) : []),
        ...antennaClamps(antennas),
      ],
      wayClamps: null,
      startS: nowS,
      durationS,
      settle: false,
    });
    for (const part of parts) this.#owners.give(part, motion);
    if (claim !== 'none') {
      this.#owners.give('bodyYaw', motion, { isWeak: claim === 'weak' });
      this.target.aimBody(wantedRad);
    }
    return this.#started(motion);
  }

  /**
   * Begins a recorded move. Motions that own one of its parts lose it. Where the head of the move is out of reach, head and
   * body wait.
   * @throws MotionUnderWay when it must not take a part that a motion owns
   */
  play(move: RecordedMove, nowS: number, { initialGotoS, ifBusy, name }: PlayOptions): StartedMotion {
    this.#requireFree(move.parts, ifBusy);
    const motion = new Motion(movePlan(move, { from: this.target.posture, startS: nowS, initialGotoS, name }));
    for (const part of move.parts) this.#owners.give(part, motion);
    if (motion.plan.bodyYaw) this.target.aimBody(motion.plan.bodyYaw.to);
    return this.#started(motion);
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
      const place = this.target.placed(
        head ? headNear(head, bodyYaw ?? posture.bodyYawRad) : this.target.head,
        wantedRad,
      );
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
    const [headMover, bodyMover] = [this.#owners.mover('head'), this.#owners.mover('bodyYaw')];
    const bodyYaw = bodyMover?.bodyYawAt(nowS) ?? null;
    const head = headMover?.headAt(nowS, bodyYaw ?? target.posture.bodyYawRad) ?? null;
    if (!head && bodyYaw === null) return;
    const wantedRad = bodyYaw ?? target.bodyGoalRad;
    const place = target.moveHeadAndBody(head ?? target.head, wantedRad);
    const { posture } = target;
    const headClamps = headMover?.plan.wayClamps;
    if (headClamps && !place.inverse.reachable) headClamps.noteHead(place.head.pose, posture.head, place.inverse);
    else bodyMover?.plan.wayClamps?.noteBody(wantedRad, posture.bodyYawRad, place.head.yawRad);
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

  fail(error: Error): void {
    for (const motion of this.#running) {
      this.#running.delete(motion);
      this.#owners.release(motion);
      motion.fail(error);
    }
  }

  /** @throws MotionUnderWay when a motion owns one of the parts and must not lose it */
  #requireFree(parts: readonly TargetPart[], ifBusy: IfBusy): void {
    const busy = ifBusy === 'refuse' && this.#owners.anyOwner(parts);
    if (busy) throw new MotionUnderWay(busy.plan.name);
  }

  /** A motion has its parts, and runs. */
  #started(motion: Motion): StartedMotion {
    this.#endLost();
    this.#running.add(motion);
    return {
      ended: motion.ended,
      yield: () => this.#owners.weaken(motion),
      claim: () => this.#owners.strengthen(motion),
    };
  }

  #endAll(outcome: 'replaced' | 'stopped'): void {
    for (const motion of this.#running) this.#end(motion, outcome);
  }

  /** Ends the motions that have lost all of their parts. */
  #endLost(): void {
    for (const motion of this.#running) if (motion.hasLostAll) this.#end(motion, 'replaced');
  }

  #end(motion: Motion, outcome: 'done' | 'replaced' | 'stopped'): void {
    const { plan } = motion;
    const atEnd = outcome === 'done' && !plan.wayClamps;
    const clamped = atEnd ? this.#clampsAtEnd(motion) : [...(plan.wayClamps?.all ?? []), ...plan.clamped];
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
