/** Recorded moves that a program uploads and plays. */
import { expect, test } from 'vitest';
import { awakeRobot } from '../testing/awake-robot.ts';
import { poseFrom } from './kinematics/pose.ts';

const turned = (yawRad: number, zM = 0) => poseFrom({ rollRad: 0, pitchRad: 0, yawRad }, [0, 0, zM]);
const samples = (move: string, of: object) => ({
  type: 'move_samples',
  move,
  heads: null,
  antennas: null,
  bodyYaws: null,
  ...of,
});
const play = (id: string, move: string, options: object = {}) => ({
  type: 'play_move',
  id,
  move,
  initialGotoS: 0,
  ...options,
});
const done = (id: string, end: object = { outcome: 'done' }) => ({ type: 'done', id, clamped: [], ...end });
const refused = (id: string | null, message: unknown, code = 'bad-message') => ({ type: 'error', code, message, id });

/** A move of the antennas, linear from 0 to 1 rad in `durationS`. */
const antennasMove = (move: string, durationS: number) =>
  samples(move, {
    timesS: [0, durationS],
    antennas: [
      [0, 0],
      [1, -1],
    ],
  });

test('a move of several messages is played after the motion to its first sample, and answered at its end', async () => {
  const { robot, loop, newProgram } = await awakeRobot();
  const { say, news, held } = newProgram();
  say(samples('wave', { timesS: [0, 0.5], bodyYaws: [0.2, 0.2], heads: [turned(0.2), turned(0.2)] }));
  say(samples('wave', { timesS: [1.5], bodyYaws: [0.4], heads: [turned(0.4)] }));
  say(play('1', 'wave', { initialGotoS: 1 }));
  expect(held).toEqual([0, 2.5]);
  const yaws: number[] = [];
  for (let half = 0; half < 5; half++) {
    expect(news()).toEqual([]);
    await loop.pass(0.5);
    yaws.push(robot.pose.joints.bodyYaw);
  }
  // The simulated motor follows its target with a lag.
  for (const [index, wanted] of [0.1, 0.2, 0.2, 0.3, 0.4].entries()) expect(yaws[index]).toBeCloseTo(wanted, 1);
  expect(news()).toEqual([done('1')]);
});

test('a move owns its parts like a goto: streams are dropped, a later motion takes them, and refuse is refused', async () => {
  const { loop, newProgram } = await awakeRobot();
  const { say, news } = newProgram();
  say(samples('both', { timesS: [0, 4], heads: [turned(0), turned(0.3)], bodyYaws: [0, 0.1] }));
  say(play('1', 'both'));
  say({ type: 'set_target', head: turned(0), antennas: [0.5, -0.5] });
  await loop.pass(0.1);
  expect(news()).toMatchObject([
    {
      type: 'clamped',
      dropped: [{ why: 'Targets for the head are dropped until the robot has finished playing a move.' }],
    },
  ]);
  say(antennasMove('antennas', 1));
  say(play('2', 'antennas', { ifBusy: 'refuse' }));
  say({ type: 'goto_target', id: '3', head: turned(0), durationS: 1, ifBusy: 'refuse' });
  await loop.pass(0.1);
  expect(news()).toMatchObject([refused('3', expect.stringContaining('busy playing a move'), 'busy')]);
  say({ type: 'goto_target', id: '4', head: turned(0), durationS: 1 });
  await loop.pass(4.2);
  expect(news()).toEqual([done('2'), done('4'), done('1', { outcome: 'done', lost: ['head'] })]);
});

test('a stop ends a move within one turn', async () => {
  const { robot, loop, newProgram } = await awakeRobot();
  const { say, news } = newProgram();
  say(antennasMove('long', 600));
  say(play('1', 'long'));
  await loop.pass(1);
  say({ type: 'stop_motion', id: '2' });
  await loop.pass(0.02);
  expect(news()).toEqual([done('2'), done('1', { outcome: 'stopped' })]);
  expect(robot.state.motion).toBeNull();
});

test('an upload is forgotten once it was played, and when another one begins', async () => {
  const { loop, newProgram } = await awakeRobot();
  const { say, news } = newProgram();
  const unknown = 'The samples of this move were not sent, or were discarded.';
  say(play('1', 'wave'));
  say(antennasMove('wave', 0.1));
  say(play('2', 'wave'));
  await loop.pass(0.2);
  say(play('3', 'wave'));
  say(antennasMove('first', 0.1));
  say(antennasMove('second', 0.1));
  say(play('4', 'first'));
  say(play('5', 'second'));
  await loop.pass(0.2);
  expect(news()).toEqual([refused('1', unknown), done('2'), refused('3', unknown), refused('4', unknown), done('5')]);
});

test.each<[string, object, string, string]>([
  ['are malformed', { timesS: [1], antennas: [[200, 0]] }, expect.stringContaining('antennas.0.0'), 'bad-message'],
  ['are no poses', { timesS: [1], heads: [new Array<number>(16).fill(1)] }, 'All samples', 'bad-message'],
  [
    'go back in time',
    {
      timesS: [1, 0.5],
      antennas: [
        [0, 0],
        [0, 0],
      ],
    },
    'The times of a move',
    'bad-message',
  ],
  ['miss a field', { timesS: [1], antennas: undefined }, expect.stringContaining('antennas'), 'bad-message'],
])('a move of which samples %s is refused once, and not played', async (_name, bad, reason, code) => {
  const { robot, loop, newProgram } = await awakeRobot();
  const { say, news } = newProgram();
  const message = typeof reason === 'string' ? expect.stringContaining(reason) : reason;
  say(antennasMove('wave', 0.1));
  say(samples('wave', bad));
  say(antennasMove('wave', 2));
  expect(news()).toEqual([refused(null, message, code)]);
  say(play('1', 'wave'));
  await loop.pass(0.02);
  expect(news()).toEqual([refused('1', message, code)]);
  expect(robot.state.motion).toBeNull();
  say(antennasMove('wave', 0.1)); // again
  say(play('2', 'wave'));
  await loop.pass(0.2);
  expect(news()).toEqual([done('2')]);
});

test('a head that is no pose is unreachable, in the samples and in the reply', async () => {
  const { loop, newProgram } = await awakeRobot();
  const { say, news } = newProgram();
  say(samples('wave', { timesS: [0], heads: [new Array<number>(16).fill(1)] }));
  say(play('1', 'wave'));
  await loop.pass(0.02);
  const message = 'The head pose is not a rotation and a translation.';
  expect(news()).toEqual([refused(null, message, 'unreachable'), refused('1', message, 'unreachable')]);
});

test('a move is refused while another program has the slot, and while the robot sleeps', async () => {
  const { robot, loop, newProgram } = await awakeRobot();
  const { say, news, refuseMotion } = newProgram();
  const asleep = newProgram();
  say(antennasMove('wave', 1));
  refuseMotion();
  say(play('1', 'wave'));
  await loop.pass(0.02);
  expect(news()).toMatchObject([{ type: 'error', code: 'slot-taken', id: '1' }]);
  await loop.until(robot.sleep());
  asleep.say(antennasMove('wave', 1));
  asleep.say(play('2', 'wave'));
  await loop.pass(0.02);
  expect(asleep.news()).toMatchObject([{ type: 'error', code: 'robot-unavailable', id: '2' }]);
});

test('the move of a program that does not answer yields, and is its own again when it answers', async () => {
  const { loop, newProgram } = await awakeRobot();
  const [first, second] = [newProgram(), newProgram()];
  first.say(antennasMove('long', 10));
  first.say(play('1', 'long', { initialGotoS: 2 }));
  await loop.pass(4);
  first.session.silent(true);
  first.held.splice(0);
  first.session.silent(false);
  expect(first.held).toEqual([expect.closeTo(8, 1)]);
  first.session.closed();
  second.say({ type: 'set_target', antennas: [0, 0] });
  await loop.pass(0.1);
  expect([second.news(), first.news()]).toEqual([[], [done('1', { outcome: 'replaced' })]]);
});

test('where the head is out of reach it waits, the antennas go on, and the end says so once', async () => {
  const { robot, loop, newProgram } = await awakeRobot();
  const { say, news } = newProgram();
  say(
    samples('high', {
      timesS: [0, 1, 2, 3],
      heads: [turned(0), turned(0, 0.2), turned(0, 0.2), turned(0.3)],
      antennas: [
        [0, 0],
        [4, 0],
        [0, -1],
        [0.5, -0.5],
      ],
    }),
  );
  say(play('1', 'high'));
  await loop.pass(2);
  expect(robot.pose.joints.antennas[1]).toBeCloseTo(-1, 1);
  const heightM = robot.pose.head[11] ?? 0;
  expect(heightM).toBeGreaterThan(0.005);
  expect(heightM).toBeLessThan(0.1);
  await loop.pass(1.3);
  expect(robot.pose.head[4]).toBeCloseTo(Math.sin(0.3), 2);
  expect(news()).toMatchObject([
    {
      type: 'done',
      outcome: 'done',
      clamped: [
        { part: 'head', why: expect.stringContaining('The head waits while the move leaves its reach.') },
        { part: 'rightAntenna', wantedRad: 4 },
      ],
    },
  ]);
});

test('the body of a move gets its largest clamp on the way', async () => {
  const { loop, newProgram } = await awakeRobot();
  const { say, news } = newProgram();
  say(
    samples('turn', {
      timesS: [0, 1, 2],
      heads: [turned(0), turned(1.5), turned(0)],
      bodyYaws: [0, 0, 0],
    }),
  );
  say(play('1', 'turn'));
  await loop.pass(2.1);
  const [end] = news();
  expect(end).toMatchObject({ clamped: [{ part: 'bodyYaw', wantedRad: 0, why: expect.stringContaining('65°') }] });
  expect(end?.type === 'done' && end.clamped[0]?.givenRad).toBeCloseTo(1.5 - (65 * Math.PI) / 180, 1);
});
