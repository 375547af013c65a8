import type { Keyframe, OwnMove } from './keyframes.ts';
import { beats } from './patterns.ts';

const dance = (description: string, ...keyframes: Keyframe[]): OwnMove => ({
  kind: 'dance',
  description,
  keyframes,
});

/** Left and right in turn. */
const side = (beat: number) => (beat % 2 === 0 ? 1 : -1);
const turn = (beat: number, beatsOfTurn: number) => (2 * Math.PI * beat) / beatsOfTurn;

export const dances: Readonly<Record<string, OwnMove>> = {
  dance1: dance(
    'Sways to a slow beat, with antennas that follow late.',
    ...beats(9, 0.62, { fromS: 0.4 }, (beat) => [
      { at: 0, y: -9 * side(beat), roll: 13 * side(beat), yaw: 5 * side(beat), body: 10 * side(beat), z: -3 },
      { at: 0.25, right: 12 - 26 * side(beat), left: 12 + 26 * side(beat) },
      { at: 0.5, z: 5, pitch: beat % 4 === 3 ? 7 : -4 },
    ]),
    { at: 6.6 },
  ),
  dance2: dance(
    'Bounces on each beat and turns around on every fourth.',
    { at: 0.2, z: 4 },
    ...beats(16, 0.42, { fromS: 0.4 }, (beat) => [
      { at: 0, z: -10, pitch: 6, right: beat % 2 ? 34 : 4, left: beat % 2 ? 0 : 30 },
      { at: 0.5, z: 9, pitch: -5, roll: 4 * side(beat), yaw: 24 * Math.sin(turn(Math.floor(beat / 2) * 2, 8)) },
      { at: 0.6, body: 15 * Math.sin(turn(beat, 8)) },
    ]),
    { at: 7.9 },
  ),
  dance3: dance(
    'Twists its body against its head, down and up again.',
    { at: 0.25, body: -6, z: 3 },
    ...beats(14, 0.46, { fromS: 0.5 }, (beat) => [
      {
        at: 0,
        body: 24 * side(beat),
        yaw: -9 * side(beat),
        roll: 6 * side(beat),
        z: -13 * Math.sin((Math.PI * beat) / 13) ** 2,
        right: 10 + 24 * side(beat),
        left: 10 - 20 * side(beat),
      },
      { at: 0.5, pitch: beat % 4 === 2 ? -8 : 3 },
    ]),
    { at: 7.7 },
  ),
  dance4: dance(
    'Struts and pecks like a hen, and looks to the side after each four.',
    ...beats(16, 0.4, { fromS: 0.4 }, (beat) =>
      beat % 4 === 3
        ? [
            { at: 0.1, x: -6, z: 5, pitch: -5, roll: -8 * (beat % 8 === 3 ? 1 : -1), yaw: beat % 8 === 3 ? 26 : -26 },
            { at: 0.2, right: -14, left: -10 },
            { at: 0.6, yaw: beat % 8 === 3 ? 25 : -25 },
          ]
        : [
            { at: 0, x: 14, z: -5, pitch: 11, right: 34, left: 28 },
            { at: 0.5, x: -7, z: 3, pitch: -5, right: 6, left: 12 },
            { at: 0.3, yaw: 5 * side(beat), roll: 3 * side(beat), body: 7 * side(beat) },
          ],
    ),
    { at: 7.5 },
  ),
  dance5: dance(
    'Circles with its head, one way and then the other, and bows.',
    ...beats(24, 0.21, { fromS: 0.4 }, (beat) => {
      const angle = (beat < 12 ? 1 : -1) * turn(beat - 12, 8);
      const size = Math.min(1, (beat + 1) / 4, (24 - beat) / 4);
      return [
        {
          at: 0,
          roll: 13 * size * Math.sin(angle),
          pitch: 12 * size * Math.cos(angle),
          y: -8 * size * Math.sin(angle),
          x: 8 * size * Math.cos(angle),
          right: 16 + 24 * size * Math.cos(angle + 0.8),
          left: 16 + 24 * size * Math.sin(angle + 0.8),
          body: 12 * Math.sin(turn(beat, 24)),
        },
      ];
    }),
    { at: 5.7, z: 6, pitch: -6, roll: 0, x: 0, y: 0, body: 0, right: -8, left: -4 },
    { at: 6.4, z: -8, pitch: 20, x: 4, right: 60, left: 70 },
    { at: 6.8, z: -8, pitch: 20 },
    { at: 7.8 },
  ),
};
