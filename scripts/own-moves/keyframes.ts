import { type HeadPlace, headAt, type MoveSample } from './move-sample.ts';

/** The channels of a move: millimetres and degrees. An antenna at 0 points up; positive angles fold it outwards. */
export interface Channels extends HeadPlace {
  readonly body: number;
  readonly right: number;
  readonly left: number;
}

/** The values that some channels have at a time. The others pass on their way between their own keyframes. */
export type Keyframe = { readonly at: number } & Partial<Channels>;

export interface OwnMove {
  readonly kind: 'emotion' | 'dance';
  readonly description: string;
  /** In the order of their times. The move begins and ends at rest. */
  readonly keyframes: readonly Keyframe[];
}

/** The default position. */
export const rest: Channels = { x: 0, y: 0, z: 0, roll: 0, pitch: 0, yaw: 0, body: 0, right: 10, left: 10 };

const channels = Object.keys(rest) as (keyof Channels)[];
const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** The targets of a move at a time in seconds. */
export function sampleMove({ keyframes }: OwnMove): (timeS: number) => MoveSample {
  const endS = durationOf(keyframes);
  const framed = [{ at: 0, ...rest }, ...keyframes.filter(({ at }) => at > 0 && at < endS), { at: endS, ...rest }];
  const curves = new Map(channels.map((channel) => [channel, curveThrough(pointsOf(framed, channel))]));
  return (timeS) => {
    const value = (channel: keyof Channels) => curves.get(channel)?.(timeS) ?? 0;
    const [x, y, z, roll, pitch, yaw] = [
      value('x'),
      value('y'),
      value('z'),
      value('roll'),
      value('pitch'),
      value('yaw'),
    ];
    return {
      head: headAt({ x, y, z, roll, pitch, yaw }),
      antennas: [-radians(value('right')), radians(value('left'))],
      bodyYaw: radians(value('body')),
    };
  };
}

export const durationOf = (keyframes: readonly Keyframe[]) => keyframes.at(-1)?.at ?? 0;

interface Point {
  readonly at: number;
  readonly value: number;
}

function pointsOf(keyframes: readonly Keyframe[], channel: keyof Channels): Point[] {
  return keyframes.flatMap(({ at, [channel]: value }) => (value === undefined ? [] : [{ at, value }]));
}

/**
 * A smooth curve through points: cubic pieces that rest at turning points and overshoot none, so that a keyframe says how
 * far a motion goes.
 */
function curveThrough(points: readonly Point[]): (at: number) => number {
  const slopes = points.map((point, index) => slopeAt(points[index - 1], point, points[index + 1]));
  return (at) => {
    const index = Math.max(
      0,
      points.findLastIndex((point) => point.at <= at),
    );
    const [from, to] = [points[index], points[index + 1]];
    if (!from || !to) return from?.value ?? 0;
    const lengthS = to.at - from.at;
    const t = (at - from.at) / lengthS;
    const [a, b] = [(slopes[index] ?? 0) * lengthS, (slopes[index + 1] ?? 0) * lengthS];
    const rise = to.value - from.value;
    return from.value + t * (a + t * (3 * rise - 2 * a - b + t * (a + b - 2 * rise)));
  };
}

/** The harmonic mean of the slopes on both sides (Fritsch and Butland), 0 at the ends and where the direction turns. */
function slopeAt(before: Point | undefined, point: Point, after: Point | undefined): number {
  if (!before || !after) return 0;
  const [first, second] = [point.at - before.at, after.at - point.at];
  const [rising, onward] = [(point.value - before.value) / first, (after.value - point.value) / second];
  if (rising * onward <= 0) return 0;
  const [w1, w2] = [2 * second + first, second + 2 * first];
  return (w1 + w2) / (w1 / rising + w2 / onward);
}
