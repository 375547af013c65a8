import type { AntennaSide } from '../contract/robot/robot.ts';

/** Further than this from where it stood, an antenna was pushed. */
const PRESS_RAD = 0.25;
/** Back within this, it may be pushed again. */
const RELEASE_RAD = 0.1;
/** A target that moves further than this between two looks is motion, not touch. */
const COMMANDED_RAD = 0.02;
/** Antennas that stay within this of each other are still. */
const STILL_RAD = 0.03;
/** So long they are still before they count as resting: a limp antenna sags first. */
const STILL_S = 1;

/** One look at the antennas, each pair [right, left], radians. */
export interface AntennaLook {
  readonly measured: readonly number[];
  readonly commanded: readonly number[];
  /** Whether the robot sleeps and nothing moves it. */
  readonly idle: boolean;
  readonly nowS: number;
}

/** Where the antennas have stood since when. */
interface Stillness {
  readonly at: readonly number[];
  readonly sinceS: number;
}

/**
 * Tells a push on an antenna of the sleeping robot from everything else that moves it. Pure but for what it remembers of
 * the looks before. The thresholds are those that have proved good on such robots.
 */
export class AntennaTouchDetector {
  #commanded: readonly number[] | null = null;
  #still: Stillness | null = null;
  /** Where the antennas rest; null until that is known. */
  #reference: readonly number[] | null = null;
  #pressed = false;

  /** @returns the antenna that was pushed just now, or null */
  look({ measured, commanded, idle, nowS }: AntennaLook): AntennaSide | null {
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
      this.#reference = measured; // also where a hand has left it
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
