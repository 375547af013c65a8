import { expect, test } from 'vitest';
import { defaultPosture } from '../kinematics/geometry.ts';
import { poseFrom, rollPitchYawOf } from '../kinematics/pose.ts';
import { randomNumbers } from '../simulation/random-numbers.ts';
import { HeadOutOfReach } from './errors.ts';
import type { MotionEnd } from './motion.ts';
import { Motions, type PlayOptions } from './motions.ts';
import { MoveSamples, type NewSamples } from './move-samples.ts';
import type { RecordedMove } from './recorded-move.ts';

const TICK_S = 0.02;
const deg = Math.PI / 180;
const head = (yawDeg: number, zM = 0) => poseFrom({ rollRad: 0, pitchRad: 0, yawRad: yawDeg * deg }, [0, 0, zM]);

function moveOf(samples: Partial<NewSamples>): RecordedMove {
  const collected = new MoveSamples();
  collected.append({ timesS: [0], heads: null, antennas: null, bodyYaws: null, ...samples });
  return collected.finished();
}

/** Motions from the default posture, 50 turns a second. */
function startedMotions() {
  const motions = new Motions();
  motions.replaceBy(defaultPosture, 'stopped');
  let ticks = 0;
  const ends: MotionEnd[] = [];
  return {
    motions,
    ends,
    play: (move: RecordedMove, options: Partial<PlayOptions> = {}) =>
      void motions
        .play(move, ticks * TICK_S, { initialGotoS: 0, ifBusy: 'replace', name: null, ...options })
        .ended.then((end) => ends.push(end)),
    goto: (change: object, durationS: number) =>
      motions.goto(change, ticks * TICK_S, { durationS, method: 'linear', ifBusy: 'replace' }),
    async pass(seconds: number, eachTick: (nowS: number) => void = () => {}) {
      for (let left = Math.round(seconds / TICK_S); left > 0; left--) {
        ticks += 1;
        motions.advance(ticks * TICK_S);
        eachTick(ticks * TICK_S);
        motions.endOver(ticks * TICK_S, () => true);
        await Promise.resolve();
      }
    },
    get bodyYawDeg() {
      return motions.target.posture.bodyYawRad / deg;
    },
    get headYawDeg() {
      return rollPitchYawOf(motions.target.posture.head).yawRad / deg;
    },
  };
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'a random move takes the robot where a stream of the same targets would, seed %i',
  async (seed) => {
    const random = randomNumbers(seed * 7919);
    for (let i = 0; i < 10; i++) random(); // neighbouring seeds begin alike
    const within = (most: number) => (random() * 2 - 1) * most;
    let [timeS, yawRad] = [0, 0];
    const samples = Array.from({ length: 60 }, (_, index) => {
      timeS += index === 0 ? 0 : random() * 0.1;
      yawRad += within(0.5);
      return {
        timeS,
        head: poseFrom({ rollRad: within(0.5), pitchRad: within(0.5), yawRad }, [
          within(0.02),
          within(0.02),
          within(0.02),
        ]),
        antennas: [within(4), within(4)],
        bodyYaw: yawRad + within(2),
      };
    });
    const hasBody = random() < 0.7;
    const move = moveOf({
      timesS: samples.map((sample) => sample.timeS),
      heads: samples.map((sample) => sample.head),
      antennas: samples.map((sample) => sample.antennas),
      bodyYaws: hasBody ? samples.map((sample) => sample.bodyYaw) : null,
    });
    const [played, streamed] = [startedMotions(), startedMotions().motions];
    played.play(move);
    let unreachable = 0;
    await played.pass(move.durationS + TICK_S, (nowS) => {
      const bodyYaw = hasBody ? move.bodyYawAt(nowS) : null;
      const antennas = move.antennasAt(nowS);
      const { pose } = move.headAt(nowS, 0);
      try {
        streamed.setTarget({ head: pose, antennas, bodyYaw }, nowS);
      } catch (error) {
        expect(error).toBeInstanceOf(HeadOutOfReach);
        streamed.setTarget({ antennas }, nowS);
        unreachable += 1;
      }
      const { posture } = played.motions.target;
      expect(posture.antennas).toEqual(streamed.target.posture.antennas);
      expect(posture.bodyYawRad).toBeCloseTo(streamed.target.posture.bodyYawRad, 9);
      expect(posture.head).toEqual(streamed.target.posture.head.map((value) => expect.closeTo(value, 9)));
    });
    expect(played.ends).toHaveLength(1);
    const parts = played.ends[0]?.clamped.map(({ part }) => part) ?? [];
    expect(parts.includes('head')).toBe(unreachable > 0);
    expect(new Set(parts).size).toBe(parts.length);
  },
);

test('the motion to the first sample begins and ends smoothly, and the move follows without a gap', async () => {
  const clock = startedMotions();
  clock.play(
    moveOf({
      timesS: [0, 1],
      antennas: [
        [1, 1],
        [2, 2],
      ],
    }),
    { initialGotoS: 1 },
  );
  const angles: number[] = [];
  await clock.pass(2, () => angles.push(clock.motions.target.posture.antennas[0]));
  const [first, half, end] = [angles[0], angles[24], angles[49]];
  expect(first).toBeCloseTo(defaultPosture.antennas[0], 3);
  expect(half).toBeCloseTo((1 + defaultPosture.antennas[0]) / 2, 9);
  expect(end).toBeCloseTo(1, 9);
  expect(angles[74]).toBeCloseTo(1.5, 9);
  expect(angles[99]).toBe(2);
  expect(clock.ends).toEqual([{ outcome: 'done', clamped: [], lost: [] }]);
});

test('the body stays where it was wanted under a move without body yaws, and where the move left it otherwise', async () => {
  const clock = startedMotions();
  clock.motions.setTarget({ bodyYaw: 20 * deg }, 0);
  clock.play(moveOf({ timesS: [0, 1, 2], heads: [head(0), head(100), head(0)] }));
  await clock.pass(1);
  expect(clock.bodyYawDeg).toBeCloseTo(35);
  await clock.pass(1.02);
  expect(clock.bodyYawDeg).toBeCloseTo(20);
  clock.play(moveOf({ timesS: [0, 1], bodyYaws: [0, -30 * deg] }));
  await clock.pass(1.02);
  expect(clock.bodyYawDeg).toBeCloseTo(-30);
  clock.motions.setTarget({ head: head(10) }, 4);
  expect(clock.bodyYawDeg).toBeCloseTo(-30);
});

test('a goto of the body beside a move of the head ends where the head will be', async () => {
  const clock = startedMotions();
  clock.play(moveOf({ timesS: [0, 2], heads: [head(0), head(90)] }));
  clock.goto({ bodyYaw: 100 * deg }, 2);
  await clock.pass(2.02);
  expect([clock.headYawDeg, clock.bodyYawDeg]).toEqual([expect.closeTo(90), expect.closeTo(100)]);
});

test('a turn of the head past the back goes on with the body, without a jump', async () => {
  const clock = startedMotions();
  const yaws = Array.from({ length: 44 }, (_, index) => index * 5);
  clock.play(
    moveOf({
      timesS: yaws.map((_, index) => index * 0.1),
      heads: yaws.map((yawDeg) => head(yawDeg)),
      bodyYaws: yaws.map((yawDeg) => Math.min(160, yawDeg) * deg),
    }),
  );
  let last = 0;
  await clock.pass(4.4, () => {
    expect(Math.abs(clock.bodyYawDeg - last)).toBeLessThan(2);
    last = clock.bodyYawDeg;
  });
  expect(clock.bodyYawDeg).toBeCloseTo(160);
  expect(clock.ends).toEqual([{ outcome: 'done', clamped: [], lost: [] }]);
});
