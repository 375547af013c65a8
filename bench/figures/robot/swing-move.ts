import type { SdkMoveSamples } from '../../../daemon/contract/robot/sdk.ts';
import { MAX_MESSAGE_SAMPLES } from '../../../daemon/contract/robot/sdk.ts';

const SAMPLE_S = 0.01;
/** The right antenna swings between ± this angle: an encoder's step takes 0.5 ms, and the speed limit is far. */
const SWING_RAD = 2.5;
const SWING_RAD_S = 3;
const HALF_S = (2 * SWING_RAD) / SWING_RAD_S;
/** Samples near a turn of the swing would not tell the time. */
const NEAR_TURN_S = 0.06;
/** The left antenna goes from one end to the other once, and tells which swing it is. */
const END_RAD = 3;

/** A move of the antennas that tells its time, with 100 samples a second, in messages. */
export function* swingMove(move: string, durationS: number): Generator<SdkMoveSamples> {
  const count = Math.round(durationS / SAMPLE_S);
  for (let start = 0; start < count; start += MAX_MESSAGE_SAMPLES) {
    const length = Math.min(MAX_MESSAGE_SAMPLES, count - start);
    const timesS = Array.from({ length }, (_, index) => (start + index) * SAMPLE_S);
    const antennas = timesS.map((timeS) => [rightAt(timeS), END_RAD * ((2 * timeS) / durationS - 1)]);
    yield { type: 'move_samples', move, timesS, heads: null, antennas, bodyYaws: null };
  }
}

function rightAt(timeS: number): number {
  const phase = (timeS / HALF_S) % 2;
  return SWING_RAD * (phase < 1 ? 2 * phase - 1 : 3 - 2 * phase);
}

/**
 * The time of that move at which the antennas have these goals, seconds.
 * @param durationS the one of the move
 * @returns null for goals too near to a turn of the swing, or at the end
 */
export function swingTimeS(right: number, left: number, durationS: number): number | null {
  if (left < -END_RAD + 0.01 || left > END_RAD - 0.01) return null;
  const roughS = ((left + END_RAD) / (2 * END_RAD)) * durationS;
  const half = Math.floor(roughS / HALF_S);
  const intoS = roughS - half * HALF_S;
  if (intoS < NEAR_TURN_S || intoS > HALF_S - NEAR_TURN_S) return null;
  const upwards = half % 2 === 0;
  return half * HALF_S + (upwards ? right + SWING_RAD : SWING_RAD - right) / SWING_RAD_S;
}
