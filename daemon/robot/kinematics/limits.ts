/** Range of a joint, radians. The motors' ranges are from the robot's description, in whole degrees. */
interface JointRange {
  readonly minRad: number;
  readonly maxRad: number;
}

const degrees = (angleDeg: number) => (angleDeg * Math.PI) / 180;
const range = (minDeg: number, maxDeg: number): JointRange => ({ minRad: degrees(minDeg), maxRad: degrees(maxDeg) });

export const stewartRanges: readonly JointRange[] = [
  range(-48, 80),
  range(-80, 70),
  range(-48, 80),
  range(-80, 48),
  range(-70, 80),
  range(-80, 48),
];
export const antennaRange: JointRange = range(-180, 180);
export const bodyRange: JointRange = range(-160, 160);
/** All ranges in the order of the bus: the body, the six legs, the antennas. */
export const jointRanges: readonly JointRange[] = [bodyRange, ...stewartRanges, antennaRange, antennaRange];

/** Largest yaw of the head against the body; beyond it the rods collide. */
export const MAX_RELATIVE_YAW_RAD = degrees(65);

/** Maximum commanded speed of a joint. */
export const MAX_JOINT_SPEED_RAD_S = 8;

/**
 * The body yaw nearest to the wanted one under a head that is turned by `headYawRad`: the head may turn 65° against the
 * body, counted the short way round, and the body ±160° against the foot.
 */
export function bodyYawUnder(headYawRad: number, wantedRad: number): number {
  let best = Number.NaN;
  for (const turn of [0, -2 * Math.PI, 2 * Math.PI]) {
    const head = headYawRad + turn;
    const body = bodyYawWithin(head, wantedRad);
    if (isWithinBody(head, body) && !(Math.abs(body - wantedRad) >= Math.abs(best - wantedRad))) best = body;
  }
  return best;
}

/** The same under a head whose yaw is not wrapped: it says on which side of the back the head has got there. */
export function bodyYawWithin(unwrappedHeadYawRad: number, wantedRad: number): number {
  const followed = clamped(
    wantedRad,
    unwrappedHeadYawRad - MAX_RELATIVE_YAW_RAD,
    unwrappedHeadYawRad + MAX_RELATIVE_YAW_RAD,
  );
  return clamped(followed, bodyRange.minRad, bodyRange.maxRad);
}

/** Whether a head whose yaw is not wrapped can be held over a body. */
export function isWithinBody(unwrappedHeadYawRad: number, bodyYawRad: number): boolean {
  return Math.abs(unwrappedHeadYawRad - bodyYawRad) <= MAX_RELATIVE_YAW_RAD + 1e-9;
}

export function clamped(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
