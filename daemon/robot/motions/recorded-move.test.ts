import { expect, test } from 'vitest';
import { poseFrom, rollPitchYawOf } from '../kinematics/pose.ts';
import { MalformedMove, TargetUnreachable } from './errors.ts';
import { MoveSamples, type NewSamples } from './move-samples.ts';

const turned = (yawRad: number, zM = 0) => poseFrom({ rollRad: 0, pitchRad: 0, yawRad }, [0, 0, zM]);
const samples = (of: Partial<NewSamples>): NewSamples => ({
  timesS: [0],
  heads: null,
  antennas: null,
  bodyYaws: null,
  ...of,
});
const moveOf = (...messages: Partial<NewSamples>[]) => {
  const collected = new MoveSamples();
  for (const message of messages) collected.append(samples(message));
  return collected.finished();
};

test('between samples, places, antennas and body are interpolated linearly, rotations by their angle', () => {
  const move = moveOf(
    {
      timesS: [0, 1],
      heads: [turned(0), turned(0.8, 0.01)],
      antennas: [
        [0, 0],
        [1, -1],
      ],
      bodyYaws: [0, 0.4],
    },
    { timesS: [3], heads: [turned(0.8, 0.01)], antennas: [[1, -1]], bodyYaws: [-0.4] },
  );
  expect([move.durationS, move.parts]).toEqual([3, ['head', 'antennas', 'bodyYaw']]);
  const head = move.headAt(0.25, 0);
  expect([head.yawRad, rollPitchYawOf(head.pose).yawRad, head.pose[11]]).toEqual(
    [0.2, 0.2, 0.0025].map((value) => expect.closeTo(value, 12)),
  );
  expect(move.antennasAt(0.5)).toEqual([0.5, -0.5]);
  expect([0, 0.5, 1, 2, 3, 9].map((timeS) => move.bodyYawAt(timeS))).toEqual([0, 0.2, 0.4, 0, -0.4, -0.4]);
});

test('samples of the same time are a jump: from that time on the last of them counts', () => {
  const { bodyYawAt } = { bodyYawAt: (timeS: number) => move.bodyYawAt(timeS) };
  const move = moveOf({ timesS: [0, 1, 1, 1, 2, 2], bodyYaws: [0, 0, 0.3, 0.5, 0.5, 0.7] });
  expect([0.999, 1, 1.5, 1.999, 2].map(bodyYawAt)).toEqual([0, 0.5, 0.5, 0.5, 0.7]);
});

test('one sample is a move that takes no time', () => {
  const move = moveOf({ antennas: [[0.5, -0.5]] });
  expect([move.durationS, move.parts, move.antennasAt(0)]).toEqual([0, ['antennas'], [0.5, -0.5]]);
});

test('a head past the back is on the side of the body', () => {
  const move = moveOf({ timesS: [0, 1], heads: [turned(3), turned(-3)] });
  expect([move.headAt(0, 2).yawRad, move.headAt(1, 2).yawRad]).toEqual([
    expect.closeTo(3, 9),
    expect.closeTo(2 * Math.PI - 3, 9),
  ]);
  expect(Math.abs(move.headAt(0.5, -2).yawRad)).toBeCloseTo(Math.PI, 9);
});

test('60,000 samples, given 200 at a time, are found again', () => {
  const collected = new MoveSamples();
  for (let start = 0; start < 60_000; start += 200) {
    const timesS = Array.from({ length: 200 }, (_, index) => (start + index) / 100);
    collected.append(samples({ timesS, bodyYaws: timesS.map((timeS) => timeS / 1000) }));
  }
  const move = collected.finished();
  expect(move.durationS).toBe(599.99);
  for (const timeS of [0, 0.005, 123.456, 333.333, 599.99]) expect(move.bodyYawAt(timeS)).toBeCloseTo(timeS / 1000, 12);
  expect(() => collected.append(samples({ timesS: [600], bodyYaws: [0] }))).toThrow('A move can have 60000 samples.');
});

const sheared = turned(0).with(1, 0.5);
test.each<[string, Partial<NewSamples>[], string]>([
  ['no sample', [], 'A move needs at least one sample.'],
  ['a first sample after 0', [{ timesS: [0.1], bodyYaws: [0] }], 'The first sample of a move must be at 0 s.'],
  ['a time that falls', [{ timesS: [0, 0.2, 0.1], bodyYaws: [0, 0, 0] }], 'The times of a move must not fall.'],
  [
    'a time that falls between two messages',
    [
      { timesS: [0, 0.2], bodyYaws: [0, 0] },
      { timesS: [0.1], bodyYaws: [0] },
    ],
    'The times of a move must not fall.',
  ],
  ['a time after 600 s', [{ timesS: [0, 600.1], bodyYaws: [0, 0] }], 'A move can take 600 s.'],
  ['too few heads', [{ timesS: [0, 1], heads: [turned(0)] }], 'A move needs as many heads as times.'],
  ['too many yaws', [{ bodyYaws: [0, 0] }], 'A move needs as many bodyYaws as times.'],
  [
    'another part in a later message',
    [{ bodyYaws: [0] }, { bodyYaws: [0], antennas: [[0, 0]] }],
    'All samples of a move must have the same parts.',
  ],
  ['a head that is no pose', [{ heads: [sheared] }], 'The head pose is not a rotation and a translation.'],
])('%s is refused', (_name, messages, reason) => {
  expect(() => moveOf(...messages)).toThrow(reason);
});

test('a refusal is a malformed move or an unreachable target', () => {
  expect(() => moveOf()).toThrow(MalformedMove);
  expect(() => moveOf({ heads: [sheared] })).toThrow(TargetUnreachable);
});
