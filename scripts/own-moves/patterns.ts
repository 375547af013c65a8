import type { Channels, Keyframe } from './keyframes.ts';

/** Keyframes of a channel that swings around a value, less at both ends. */
export function shake(
  channel: keyof Channels,
  swing: {
    readonly fromS: number;
    readonly toS: number;
    readonly periodS: number;
    readonly size: number;
    readonly around?: number;
  },
): Keyframe[] {
  const { fromS, toS, periodS, size, around = 0 } = swing;
  const turns = Math.max(2, Math.round((2 * (toS - fromS)) / periodS));
  return Array.from({ length: turns + 1 }, (_, turn) => {
    const share = turn / turns;
    const amplitude = turn === 0 || turn === turns ? 0 : size * Math.min(1, 3 * share, 3 * (1 - share));
    return { at: hundredths(fromS + share * (toS - fromS)), [channel]: around + (turn % 2 ? amplitude : -amplitude) };
  });
}

/**
 * Keyframes on the beats of a dance, and between them.
 * @param frames the keyframes of a beat, their times as shares of the beat
 */
export function beats(
  count: number,
  beatS: number,
  { fromS = 0 }: { readonly fromS?: number },
  frames: (beat: number) => readonly Keyframe[],
): Keyframe[] {
  return Array.from({ length: count }, (_, beat) =>
    frames(beat).map((frame) => ({ ...frame, at: hundredths(fromS + (beat + frame.at) * beatS) })),
  ).flat();
}

const hundredths = (timeS: number) => Number(timeS.toFixed(2));
