import type { AntennaSide } from '../contract/robot/robot.ts';

/** A displacement beyond this is a push. */
const PRESS_RAD = 0.25;
/** Below this displacement the push is over. */
const RELEASE_RAD = 0.1;
/** A target that moves further than this between two samples is a motion, not a touch. */
const COMMANDED_RAD = 0.02;
/** Antennas that move less than this are still. */
const STILL_RAD = 0.03;
/** Time without movement until the antennas count as resting, since a limp antenna sags first. */
const STILL_S = 1;

/** One sample of the antennas, each pair [right, left], radians. */
interface AntennaSample {
  readonly measured: readonly number[];
  readonly commanded: readonly number[];
  /** Whether the robot sleeps and nothing moves it. */
  readonly idle: boolean;
  readonly nowS: number;
}

/** The position in which the antennas have been still, and since when. */
interface Stillness {
  readonly at: readonly number[];
  readonly sinceS: number;
}

/**
 * Detects a push on an antenna of the sleeping robot, as opposed to motion and sagging. The thresholds have proved good
 * on such robots.
 */
export class AntennaTouchDetector {
  #commanded: readonly number[] | null = null;
  #still: Stillness | null = null;
  /** The resting position; null until it is known. */
  #reference: readonly number[] | null = null;
  #pressed = false;

  /** @returns the antenna that was just pushed, or null */
  detect({ measured, commanded, idle, nowS }: AntennaSample): AntennaSide | null {
    const moving = this.#commanded !== null && furthest(commanded, this.#commanded).byRad > COMMANDED_RAD;
    this.#commanded = commanded;
    if (!idle || moving) {
      this.#still = null;
      this.#reference = null;
      this.#pressed = false;
      return null;
    }
    if (!this.#still || furthest(measured, this.#still.at).byRad > STILL_RAD) {
      this.#still = { at: measured, sinceS: nowS };
    } else if (nowS - this.#still.sinceS >= STILL_S && (this.#pressed || !this.#reference)) {
      this.#reference = measured; // also a position in which a hand left it
      this.#pressed = false;
    }
    return this.#reference && this.#push(measured, this.#reference);
  }

  #push(measured: readonly number[], reference: readonly number[]): AntennaSide | null {
    const { byRad, side } = furthest(measured, reference);
    if (this.#pressed) {
      this.#pressed = byRad > RELEASE_RAD;
      return null;
    }
    this.#pressed = byRad >= PRESS_RAD;
    return this.#pressed ? side : null;
  }
}

function furthest(a: readonly number[], b: readonly number[]): { byRad: number; side: AntennaSide } {
  const [right = 0, left = 0] = a.map((angle, index) => Math.abs(angle - (b[index] ?? angle)));
  return right >= left ? { byRad: right, side: 'right' } : { byRad: left, side: 'left' };
}
