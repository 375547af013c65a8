import type { TargetPart } from '../../contract/robot/robot.ts';
import type { Motion } from './motion.ts';

interface Claim {
  readonly motion: Motion;
  readonly isWeak: boolean;
}

/**
 * The motion that moves each part, if any. It owns the part, unless its claim is weak: then every other command may
 * take the part from it.
 */
export class PartOwners {
  readonly #claims: Record<TargetPart, Claim | null> = { head: null, antennas: null, bodyYaw: null };

  mover(part: TargetPart): Motion | null {
    return this.#claims[part]?.motion ?? null;
  }

  /** The motion that moves the part and yields it only to a later motion. */
  owner(part: TargetPart): Motion | null {
    const claim = this.#claims[part];
    return claim && !claim.isWeak ? claim.motion : null;
  }

  /** A motion that owns one of the parts, or null. */
  anyOwner(parts: readonly TargetPart[]): Motion | null {
    return parts.map((part) => this.owner(part)).find((owner) => owner !== null) ?? null;
  }

  /** Gives a part to a motion, or to none; the motion that had it loses it. */
  give(part: TargetPart, motion: Motion | null, { isWeak = false } = {}): void {
    const previous = this.mover(part);
    this.#claims[part] = motion && { motion, isWeak };
    if (previous !== motion) previous?.lose(part);
  }

  /** Frees the parts of a motion that has ended. */
  release(motion: Motion): void {
    for (const part of this.#partsOf(motion)) this.#claims[part] = null;
  }

  weaken(motion: Motion): void {
    for (const part of this.#partsOf(motion)) this.#claims[part] = { motion, isWeak: true };
  }

  /** Undoes `weaken` for the parts that the motion was asked for and still moves. */
  strengthen(motion: Motion): void {
    const asked = this.#partsOf(motion).filter((part) => motion.plan.parts.includes(part));
    for (const part of asked) this.#claims[part] = { motion, isWeak: false };
  }

  #partsOf(motion: Motion): TargetPart[] {
    return (Object.keys(this.#claims) as TargetPart[]).filter((part) => this.mover(part) === motion);
  }
}
