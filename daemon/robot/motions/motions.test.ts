import { expect, test } from 'vitest';
import type { TargetPart } from '../../contract/robot/robot.ts';
import { DomainError } from '../../shared/domain-error.ts';
import { defaultPosture } from '../kinematics/geometry.ts';
import { poseFrom, rollPitchYawOf } from '../kinematics/pose.ts';
import { randomNumbers } from '../simulation/random-numbers.ts';
import type { MotionEnd, StartedMotion } from './motion.ts';
import { type GotoOptions, Motions } from './motions.ts';
import { jointsOf, type PostureChange } from './posture.ts';

const TICK_S = 0.02;
const deg = Math.PI / 180;
const head = (yawDeg: number, zM = 0) => poseFrom({ rollRad: 0, pitchRad: 0, yawRad: yawDeg * deg }, [0, 0, zM]);
/** Below its middle, tilted: over a body between about -10° and 30° the motors cannot hold it. */
const tilted = poseFrom({ rollRad: -30 * deg, pitchRad: 20 * deg, yawRad: 0 }, [0.02, 0, -0.03]);
/** With the body straight under it, the head cannot reach this pose. */
const tooHigh = head(0, 0.1);

/** Motions with a clock, from the default posture. */
class Clock {
  readonly motions = new Motions();
  readonly ends: { name: string; end: MotionEnd }[] = [];
  #ticks = 0;

  constructor() {
    this.motions.replaceBy(defaultPosture, 'stopped');
  }

  goto(change: PostureChange, options: Partial<GotoOptions> = {}, name = 'goto'): StartedMotion {
    const all = { durationS: 1, method: 'minjerk', ifBusy: 'replace', ...options } as const;
    const motion = this.motions.goto(change, this.nowS, all);
    void motion.ended.then((end) => this.ends.push({ name, end }));
    return motion;
  }

  stream(change: PostureChange) {
    const { clamped, dropped } = this.motions.setTarget(change, this.nowS);
    return { clamped: clamped.map(({ part }) => part), dropped: dropped.map(({ part }) => part) };
  }

  async pass(seconds: number, eachTick: () => void = () => {}): Promise<void> {
    for (let ticks = Math.round(seconds / TICK_S); ticks > 0; ticks--) {
      eachTick();
      this.#ticks += 1;
      this.motions.advance(this.nowS);
      this.motions.endOver(this.nowS, () => true);
      await Promise.resolve();
    }
    await Promise.resolve();
  }

  get nowS(): number {
    return this.#ticks * TICK_S;
  }

  get headYaw(): number {
    return rollPitchYawOf(this.motions.target.posture.head).yawRad / deg;
  }

  get bodyYaw(): number {
    return this.motions.target.posture.bodyYawRad / deg;
  }

  get rightAntenna(): number {
    return this.motions.target.posture.antennas[0];
  }
}

const all: readonly TargetPart[] = ['head', 'antennas', 'bodyYaw'];
const sets = [1, 2, 3, 4, 5, 6, 7].map((bits) => all.filter((_, index) => bits & (1 << index)));
const pairs = sets.flatMap((one) => sets.map((other) => [one, other] as const));
/** A change of some parts, each by `size`. */
const changeOf = (parts: readonly TargetPart[], size: number): PostureChange => ({
  ...(parts.includes('head') && { head: head(size * 20) }),
  ...(parts.includes('antennas') && { antennas: [size, -size] }),
  ...(parts.includes('bodyYaw') && { bodyYaw: size * 10 * deg }),
});
const sizesOf = (clock: Clock) => ({
  head: clock.headYaw / 20,
  antennas: clock.rightAntenna,
  bodyYaw: clock.bodyYaw / 10,
});

test.each(pairs)('a goto of %j owns its parts beside a stream of %j, which has the others', async (moved, streamed) => {
  const clock = new Clock();
  clock.goto(changeOf(moved, 1));
  const shared = all.filter((part) => moved.includes(part) && streamed.includes(part));
  await clock.pass(1, () => {
    expect(clock.stream(changeOf(streamed, -0.5))).toEqual({ clamped: [], dropped: shared });
  });
  expect(clock.ends).toEqual([{ name: 'goto', end: { outcome: 'done', clamped: [], lost: [] } }]);
  for (const part of all) {
    const size = moved.includes(part) ? 1 : streamed.includes(part) ? -0.5 : null;
    if (size !== null) expect(sizesOf(clock)[part], part).toBeCloseTo(size, 9);
  }
  expect(clock.stream(changeOf(streamed, -0.5)).dropped).toEqual([]);
  for (const part of streamed) expect(sizesOf(clock)[part], part).toBeCloseTo(-0.5, 9);
});

test.each(pairs)('of a goto of %j, a later goto of %j takes the parts they share', async (first, second) => {
  const clock = new Clock();
  clock.goto(changeOf(first, 1), {}, 'first');
  await clock.pass(0.5);
  clock.goto(changeOf(second, -0.5), { durationS: 1 }, 'second');
  await clock.pass(1);
  const lost = all.filter((part) => first.includes(part) && second.includes(part));
  const wasReplaced = lost.length === first.length;
  expect(clock.ends).toEqual([
    {
      name: 'first',
      end: { outcome: wasReplaced ? 'replaced' : 'done', clamped: [], lost: wasReplaced ? [] : lost },
    },
    { name: 'second', end: { outcome: 'done', clamped: [], lost: [] } },
  ]);
  for (const part of all) {
    const size = second.includes(part) ? -0.5 : first.includes(part) ? 1 : null;
    if (size !== null) expect(sizesOf(clock)[part], part).toBeCloseTo(size, 9);
  }
});

test.each(pairs)(
  'during a goto of %j, one of %j that must not replace is refused for shared parts',
  (first, second) => {
    const clock = new Clock();
    clock.goto(changeOf(first, 1));
    const refuse = () => clock.goto(changeOf(second, 0), { ifBusy: 'refuse' });
    if (first.some((part) => second.includes(part))) expect(refuse).toThrow('The robot is busy moving.');
    else expect(refuse).not.toThrow();
  },
);

test('a motion of the whole robot owns everything, and a goto takes parts of it', async () => {
  const clock = new Clock();
  clock.goto({ antennas: [1, 1] }, {}, 'goto');
  void clock.motions
    .begin('returning to default', defaultPosture, { nowS: 0, durationS: 1 })
    .ended.then((end) => clock.ends.push({ name: 'own', end }));
  expect(clock.stream(changeOf(all, 1)).dropped).toEqual(all);
  expect(() => clock.goto({ bodyYaw: 1 }, { ifBusy: 'refuse' })).toThrow('The robot is busy returning to default.');
  clock.goto({ antennas: [0.5, -0.5] }, { durationS: 0.5 }, 'antennas');
  await clock.pass(1);
  expect(clock.ends.map(({ name, end }) => [name, end.outcome, end.lost])).toEqual([
    ['goto', 'replaced', []],
    ['antennas', 'done', []],
    ['own', 'done', ['antennas']],
  ]);
  expect(clock.rightAntenna).toBe(0.5);
});

test('a goto without a part owns nothing and ends when its time is over', async () => {
  const clock = new Clock();
  clock.goto({ antennas: [1, 1] }, { durationS: 2 }, 'antennas');
  clock.goto({}, { durationS: 0.5, ifBusy: 'refuse' }, 'empty');
  clock.goto({ head: null, antennas: null, bodyYaw: null }, { durationS: 0.6 }, 'nulls');
  await clock.pass(0.6, () => expect(clock.stream({ bodyYaw: 0.1, head: head(0) }).dropped).toEqual([]));
  expect(clock.ends.map(({ name, end }) => [name, end.outcome])).toEqual([
    ['empty', 'done'],
    ['nulls', 'done'],
  ]);
});

test('thousands of gotos without a part end in the same turn', async () => {
  const clock = new Clock();
  for (let count = 0; count < 5_000; count++) clock.goto({}, { durationS: 600 });
  await clock.pass(TICK_S);
  clock.motions.replaceBy(defaultPosture, 'stopped');
  await Promise.resolve();
  expect(clock.ends).toHaveLength(5_000);
});

test.each([5e-324, 1e-9, 0.001, 600])('a goto of %f s ends at its target', async (durationS) => {
  const clock = new Clock();
  clock.goto({ antennas: [1, -1], head: head(10), bodyYaw: 0 }, { durationS, bodyYawIsDefault: true });
  await clock.pass(Math.max(TICK_S, durationS + TICK_S));
  expect(clock.ends).toMatchObject([{ end: { outcome: 'done' } }]);
  expect(clock.rightAntenna).toBe(1);
});

test('gotos that end in the same tick end in the order of their start', async () => {
  const clock = new Clock();
  clock.goto({ antennas: [1, 1] }, {}, 'first');
  clock.goto({ bodyYaw: 0.5 }, {}, 'second');
  clock.goto({ head: head(5) }, {}, 'third');
  await clock.pass(1);
  expect(clock.ends.map(({ name }) => name)).toEqual(['first', 'second', 'third']);
});

test.each(['stopped', 'replaced'] as const)('all gotos end at once: %s', async (outcome) => {
  const clock = new Clock();
  clock.goto({ antennas: [1, 1] }, {}, 'antennas');
  clock.goto({ bodyYaw: 0.5 }, {}, 'body');
  clock.motions.replaceBy(defaultPosture, outcome);
  await clock.pass(TICK_S);
  expect(clock.ends.map(({ name, end }) => [name, end.outcome])).toEqual([
    ['antennas', outcome],
    ['body', outcome],
  ]);
  expect(clock.motions.first).toBeNull();
  expect(clock.stream(changeOf(all, 1)).dropped).toEqual([]);
});

test('all gotos fail with the reason, and own nothing any more', async () => {
  const clock = new Clock();
  const { motions } = clock;
  const ended = [{ antennas: [1, 1] }, { head: head(9) }, { bodyYaw: 0.5 }].map(
    (change) => motions.goto(change, 0, { durationS: 1, method: 'linear', ifBusy: 'replace' }).ended,
  );
  motions.fail(new Error('unplugged'));
  expect(await Promise.allSettled(ended)).toMatchObject(ended.map(() => ({ reason: { message: 'unplugged' } })));
  expect(clock.stream(changeOf(all, 1)).dropped).toEqual([]);
});

test('a goto that yields goes on, and every target takes its part without a word', async () => {
  const clock = new Clock();
  const { yield: giveWay } = clock.goto({ antennas: [1, -1], head: head(20) }, { durationS: 1 });
  giveWay();
  await clock.pass(0.5, () => expect(clock.stream({ antennas: [0, 0] }).dropped).toEqual([]));
  expect([clock.rightAntenna, clock.headYaw]).toEqual([0, expect.closeTo(10)]);
  expect(() => clock.goto({ head: head(0) }, { ifBusy: 'refuse' }, 'second')).not.toThrow();
  await clock.pass(0.02);
  expect(clock.ends).toMatchObject([{ name: 'goto', end: { outcome: 'replaced' } }]);
});

const withDefault = { bodyYawIsDefault: true, durationS: 1 } as const;

test('the default of the body turns it back when nothing else wants it', async () => {
  const clock = new Clock();
  clock.stream({ bodyYaw: 40 * deg });
  await clock.pass(0.5);
  clock.goto({ antennas: [1, 1], bodyYaw: 0 }, withDefault);
  await clock.pass(0.5);
  expect(clock.bodyYaw).toBeCloseTo(20, 0);
  await clock.pass(0.5);
  expect(clock.bodyYaw).toBe(0);
});

test.each([5, 10, 20, 100])('the default of the body yields to a stream of it every %i ms', async (everyTicks) => {
  const clock = new Clock();
  const every = Math.max(1, Math.round(everyTicks / 20));
  let ticks = 0;
  const follow = () => {
    if (ticks++ % every > 0) return;
    expect(clock.stream({ bodyYaw: 40 * deg })).toEqual({ clamped: [], dropped: [] });
  };
  await clock.pass(0.5, follow);
  clock.goto({ head: head(30), bodyYaw: 0 }, withDefault);
  await clock.pass(1, () => {
    follow();
    expect(clock.bodyYaw).toBeCloseTo(40, 9);
  });
  expect(clock.ends).toEqual([{ name: 'goto', end: { outcome: 'done', clamped: [], lost: [] } }]);
});

test.each([0.02, 0.1, 0.15, 0.2, 0.3])('gotos of %f s leave the body to a stream of 10 Hz', async (durationS) => {
  const clock = new Clock();
  clock.stream({ bodyYaw: 40 * deg });
  let ticks = 0;
  await clock.pass(2, () => {
    if (ticks++ % 5 === 0) clock.stream({ bodyYaw: 40 * deg });
    if (clock.motions.first === null)
      clock.goto({ antennas: [ticks / 100, 0], bodyYaw: 0 }, { ...withDefault, durationS });
    expect(clock.bodyYaw).toBeCloseTo(40, 9);
  });
});

test('a default gives way to a head that could not be held over it', async () => {
  const clock = new Clock();
  clock.stream({ bodyYaw: 40 * deg });
  await clock.pass(1);
  expect(() => clock.goto({ head: tilted, bodyYaw: 0 })).toThrow('The head cannot reach that pose');
  clock.goto({ head: tilted, bodyYaw: 0 }, withDefault);
  await clock.pass(1);
  expect(clock.ends).toEqual([{ name: 'goto', end: { outcome: 'done', clamped: [], lost: [] } }]);
  expect(clock.bodyYaw).toBeCloseTo(40, 9);
});

test('a default beside the antennas gives way to a resting head', async () => {
  const clock = new Clock();
  clock.stream({ head: tilted, bodyYaw: 40 * deg });
  await clock.pass(1);
  clock.goto({ antennas: [1, 1], bodyYaw: 0 }, withDefault);
  await clock.pass(1);
  expect(clock.ends).toEqual([{ name: 'goto', end: { outcome: 'done', clamped: [], lost: [] } }]);
  expect([clock.bodyYaw, clock.rightAntenna]).toEqual([expect.closeTo(40), 1]);
});

test('the default of the body takes the body from no goto, is not lost, and is not busy', async () => {
  const clock = new Clock();
  clock.goto({ bodyYaw: 40 * deg }, { durationS: 1 }, 'body');
  clock.goto({ antennas: [1, 1], bodyYaw: 0 }, { ...withDefault, durationS: 0.5, ifBusy: 'refuse' }, 'antennas');
  clock.goto({ head: head(20), bodyYaw: 0 }, { ...withDefault, durationS: 0.8 }, 'head');
  await clock.pass(1);
  expect(clock.ends.map(({ name, end }) => [name, end])).toEqual(
    ['antennas', 'head', 'body'].map((name) => [name, { outcome: 'done', clamped: [], lost: [] }]),
  );
  expect(clock.bodyYaw).toBeCloseTo(40, 9);
  clock.goto({ antennas: [0, 0], bodyYaw: 0 }, withDefault, 'default');
  await clock.pass(0.2);
  clock.goto({ bodyYaw: 50 * deg }, { durationS: 0.5, ifBusy: 'refuse' }, 'later');
  await clock.pass(1);
  expect(clock.ends.slice(3)).toEqual([
    { name: 'later', end: { outcome: 'done', clamped: [], lost: [] } },
    { name: 'default', end: { outcome: 'done', clamped: [], lost: [] } },
  ]);
  expect(clock.bodyYaw).toBeCloseTo(50, 9);
});

test('with the default alone, a goto that loses its other parts is replaced, and the next one turns the body', async () => {
  const clock = new Clock();
  clock.stream({ bodyYaw: 40 * deg });
  await clock.pass(0.5);
  clock.goto({ antennas: [1, 1], bodyYaw: 0 }, withDefault, 'first');
  await clock.pass(0.5);
  clock.goto({ antennas: [0, 0], bodyYaw: 0 }, withDefault, 'second');
  await clock.pass(1);
  expect(clock.ends.map(({ name, end }) => [name, end.outcome])).toEqual([
    ['first', 'replaced'],
    ['second', 'done'],
  ]);
  expect(clock.bodyYaw).toBe(0);
});

test('a default that is the only part is a part like others', async () => {
  const clock = new Clock();
  clock.goto({ bodyYaw: 0 }, withDefault);
  expect(clock.stream({ bodyYaw: 1 }).dropped).toEqual(['bodyYaw']);
});

test('the body is fitted under a head on its way, that is reported, and it returns with the head', async () => {
  const clock = new Clock();
  clock.goto({ head: head(100) }, {}, 'there');
  await clock.pass(1, () => expect(Math.abs(clock.headYaw - clock.bodyYaw)).toBeLessThanOrEqual(65 + 1e-6));
  expect([clock.headYaw, clock.bodyYaw]).toEqual([expect.closeTo(100), expect.closeTo(35)]);
  expect(clock.ends).toMatchObject([{ end: { clamped: [{ part: 'bodyYaw', wantedRad: 0 }] } }]);
  clock.goto({ head: head(0) }, {}, 'back');
  await clock.pass(1);
  expect(clock.bodyYaw).toBeCloseTo(0);
  expect(clock.ends[1]?.end.clamped).toEqual([]);
});

test('a body stream is fitted under a moving head, frame by frame', async () => {
  const clock = new Clock();
  clock.goto({ head: head(120) }, { durationS: 2 });
  await clock.pass(2, () => {
    const { clamped } = clock.stream({ bodyYaw: -20 * deg });
    expect(clamped).toEqual(clock.headYaw > 45.001 ? ['bodyYaw'] : []);
    expect(clock.bodyYaw).toBeCloseTo(Math.max(-20, clock.headYaw - 65), 6);
  });
  clock.goto({ head: head(0) }, { durationS: 1 });
  await clock.pass(1);
  expect(clock.bodyYaw).toBeCloseTo(-20, 6);
});

test('a head stream moves the body that a goto turns, which ends with the yaw that it got', async () => {
  const clock = new Clock();
  clock.goto({ bodyYaw: -60 * deg }, { durationS: 1 });
  let last = 0;
  await clock.pass(1, () => {
    clock.stream({ head: head(60) });
    expect(Math.abs(clock.bodyYaw - last)).toBeLessThan(5);
    last = clock.bodyYaw;
  });
  expect([clock.headYaw, clock.bodyYaw]).toEqual([expect.closeTo(60), expect.closeTo(-5)]);
  expect(clock.ends).toMatchObject([
    {
      end: {
        outcome: 'done',
        clamped: [{ part: 'bodyYaw', wantedRad: -60 * deg, givenRad: expect.closeTo(-5 * deg) }],
      },
    },
  ]);
  clock.stream({ head: head(0) });
  expect(clock.bodyYaw).toBeCloseTo(-60); // it is still wanted there
});

test('a goto of the head and one of the body at once: the head has its pose, the body what fits', async () => {
  const clock = new Clock();
  clock.goto({ bodyYaw: -100 * deg, head: head(-80) }, { durationS: 1 }, 'both');
  await clock.pass(0.5);
  clock.goto({ head: head(30) }, { durationS: 1 }, 'head');
  let [lastHead, lastBody] = [clock.headYaw, clock.bodyYaw];
  await clock.pass(1, () => {
    expect(Math.abs(clock.headYaw - lastHead)).toBeLessThan(6);
    expect(Math.abs(clock.bodyYaw - lastBody)).toBeLessThan(6);
    [lastHead, lastBody] = [clock.headYaw, clock.bodyYaw];
    expect(Math.abs(clock.headYaw - clock.bodyYaw)).toBeLessThanOrEqual(65 + 1e-6);
  });
  expect([clock.headYaw, clock.bodyYaw]).toEqual([expect.closeTo(30), expect.closeTo(-35)]);
  expect(clock.ends).toMatchObject([
    { name: 'both', end: { outcome: 'done', lost: ['head'] } },
    { name: 'head', end: { outcome: 'done', clamped: [{ part: 'bodyYaw' }] } },
  ]);
});

test('a head that turns past the back keeps the side on which its body is', async () => {
  const clock = new Clock();
  for (let yawDeg = 0; yawDeg <= 215; yawDeg += 5) {
    clock.stream({ head: head(yawDeg) });
    expect(clock.bodyYaw).toBeCloseTo(Math.max(0, yawDeg - 65), 6);
  }
  expect(clock.stream({ bodyYaw: -160 * deg })).toEqual({ clamped: ['bodyYaw'], dropped: [] });
  expect(clock.bodyYaw).toBeCloseTo(150);
});

test('where the head has no inverse solution, head and body wait, and the antennas go on', async () => {
  const clock = new Clock();
  clock.stream({ head: tilted, bodyYaw: -40 * deg });
  clock.goto({ bodyYaw: 50 * deg }, { durationS: 2, method: 'linear' });
  let waited = 0;
  await clock.pass(2, () => {
    const wasAt = clock.bodyYaw;
    const antenna = clock.nowS / 2;
    expect(clock.stream({ antennas: [antenna, -antenna] })).toEqual({ clamped: [], dropped: [] });
    expect(clock.rightAntenna).toBe(antenna);
    if (wasAt === clock.bodyYaw && wasAt > -15 && wasAt < 0) waited += 1;
  });
  expect(waited).toBeGreaterThan(0);
  expect(clock.bodyYaw).toBeCloseTo(50);
  expect(clock.ends).toEqual([{ name: 'goto', end: { outcome: 'done', clamped: [], lost: [] } }]);
});

test('a head on its way waits too, with the body, and goes on where it can', async () => {
  const clock = new Clock();
  const from = poseFrom({ rollRad: 0, pitchRad: -0.6, yawRad: -1 }, [-0.01, -0.02, -0.01]);
  const to = poseFrom({ rollRad: -0.5, pitchRad: 0.5, yawRad: -0.7 }, [-0.03, -0.01, 0]);
  clock.stream({ head: from });
  clock.goto({ head: to, antennas: [1, -1] }, { durationS: 1, method: 'linear' });
  await clock.pass(0.5);
  const waiting = clock.motions.target.posture;
  await clock.pass(0.1);
  expect(clock.motions.target.posture).toEqual({ ...waiting, antennas: [expect.any(Number), expect.any(Number)] });
  expect(clock.motions.target.posture.antennas).not.toEqual(waiting.antennas);
  await clock.pass(0.4);
  expect(clock.motions.target.posture.head).toEqual(to.map((value) => expect.closeTo(value, 9)));
});

test('a body stream goes on under a head on its way, and waits where the head could not hold its pose', async () => {
  const clock = new Clock();
  clock.stream({ bodyYaw: 40 * deg });
  clock.goto({ head: tilted }, { durationS: 1 });
  await clock.pass(1, () => expect(() => clock.stream({ bodyYaw: clock.nowS * 40 * deg })).not.toThrow());
  clock.stream({ bodyYaw: 40 * deg });
  expect(clock.bodyYaw).toBeCloseTo(40);
  expect(() => clock.stream({ bodyYaw: 10 * deg, antennas: [1, 1] })).toThrow('The head cannot reach that pose');
  expect([clock.bodyYaw, clock.rightAntenna]).toEqual([expect.closeTo(40), defaultPosture.antennas[0]]);
});

test('refused gotos change nothing', async () => {
  const clock = new Clock();
  clock.goto({ antennas: [1, -1] }, {}, 'antennas');
  expect(() => clock.goto({ head: tooHigh, antennas: [0, 0] })).toThrow('cannot reach');
  expect(() => clock.goto({ antennas: [Number.NaN, 0] })).toThrow('Every angle must be a number.');
  expect(() => clock.goto({ head: head(0).with(3, Number.NaN) })).toThrow('not a rotation');
  expect(() => clock.stream({ antennas: [Number.NaN, 0] })).toThrow('Every angle must be a number.');
  await clock.pass(1);
  expect(clock.ends).toEqual([{ name: 'antennas', end: { outcome: 'done', clamped: [], lost: [] } }]);
  expect(clock.rightAntenna).toBe(1);
});

test.each([1, 2, 3, 4])(
  'random gotos and targets, seed %i: each goto ends once, and the target is always one',
  async (seed) => {
    const random = randomNumbers(seed * 7919);
    for (let i = 0; i < 10; i++) random(); // neighbouring seeds begin alike
    const within = (most: number) => (random() * 2 - 1) * most;
    const pick = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)] as T;
    const clock = new Clock();
    let started = 0;
    const angles = () => ({ rollRad: within(0.5), pitchRad: within(0.5), yawRad: within(Math.PI) });
    const change = () => ({
      ...(random() < 0.5 && { head: poseFrom(angles(), [within(0.03), within(0.03), within(0.03)]) }),
      ...(random() < 0.5 && { antennas: [within(4), within(4)] }),
      ...(random() < 0.5 && { bodyYaw: within(3.5) }),
    });
    const orders = [
      () => void clock.stream(change()),
      () => void clock.stream(change()),
      () => {
        const motion = clock.goto(change(), {
          durationS: 0.02 + random() * 2,
          method: pick(['linear', 'minjerk', 'ease_in_out', 'cartoon']),
          ifBusy: pick(['replace', 'refuse']),
          bodyYawIsDefault: random() < 0.5,
        });
        started += 1;
        if (random() < 0.2) motion.yield();
      },
    ];
    for (let order = 0; order < 200; order++) {
      try {
        pick(orders)();
      } catch (error) {
        expect(error).toBeInstanceOf(DomainError);
      }
      await clock.pass(Math.round(random() * 10) * TICK_S, () => {
        const { posture } = clock.motions.target;
        const joints = jointsOf(posture);
        if (!joints) throw new Error('out of reach');
        expect([joints.bodyYaw, ...joints.antennas].every(Number.isFinite)).toBe(true);
        expect(Math.abs(joints.bodyYaw)).toBeLessThanOrEqual(160 * deg);
        const away = rollPitchYawOf(posture.head).yawRad - posture.bodyYawRad;
        expect(Math.abs(Math.atan2(Math.sin(away), Math.cos(away)))).toBeLessThanOrEqual(65.0001 * deg);
      });
    }
    await clock.pass(2.1);
    expect(clock.motions.first).toBeNull();
    expect(started).toBeGreaterThan(20);
    expect(clock.ends).toHaveLength(started);
  },
);
