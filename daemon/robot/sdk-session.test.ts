import { expect, test } from 'vitest';
import { awakeRobot } from '../testing/awake-robot.ts';
import { defaultPosture } from './kinematics/geometry.ts';
import { poseFrom } from './kinematics/pose.ts';
import type { SdkSession } from './sdk-session.ts';

const turned = (yawRad: number) => poseFrom({ rollRad: 0, pitchRad: 0, yawRad });
const goto = (id: string, target: object) => ({ type: 'goto_target', id, durationS: 1, ...target });
const stream = (target: object) => ({ type: 'set_target', ...target });
const dropped = (part: string) => ({
  type: 'clamped',
  clamped: [],
  dropped: [
    {
      part,
      why: `Targets for the ${part === 'bodyYaw' ? 'body' : part} are dropped until the robot has finished moving.`,
    },
  ],
});
const done = (id: string, end: object = { outcome: 'done' }) => ({ type: 'done', id, clamped: [], ...end });

test('a part that a goto owns is dropped from the stream and reported once a goto; the others follow', async () => {
  const { robot, loop, newProgram } = await awakeRobot();
  const { say, news } = newProgram();
  for (const id of ['1', '2']) {
    say(goto(id, { head: turned(0.3) }));
    for (let frame = 0; frame < 10; frame++) {
      say(stream({ head: turned(0), antennas: [0.5, -0.5] }));
      await loop.pass(0.1);
    }
    await loop.pass(0.1);
    expect(news()).toEqual([dropped('head'), done(id)]);
  }
  expect(robot.pose.joints.antennas[0]).toBeCloseTo(0.5, 2);
  say(stream({ head: turned(0) }));
  expect(news()).toEqual([]);
});

test('a goto that lost some parts says so when it is done; one that lost all is replaced', async () => {
  const { loop, newProgram } = await awakeRobot();
  const { say, news } = newProgram();
  say(goto('1', { head: turned(0.3), antennas: [1, -1], bodyYaw: 0.1 }));
  say(goto('2', { antennas: [0, 0], bodyYaw: 0.2, durationS: 0.5 }));
  say(goto('3', { bodyYaw: 0.3, durationS: 2 }));
  say(goto('4', { bodyYaw: 0.4, durationS: 2 }));
  await loop.pass(2.2);
  expect(news()).toEqual([
    done('3', { outcome: 'replaced' }),
    done('2', { outcome: 'done', lost: ['bodyYaw'] }),
    done('1', { outcome: 'done', lost: ['antennas', 'bodyYaw'] }),
    done('4'),
  ]);
});

test.each<[string, object, boolean]>([
  ['a 0 beside the head, from an SDK that always sends it', { head: turned(0), bodyYaw: 0 }, true],
  ['a 0 beside the antennas', { antennas: [0, 0], bodyYaw: 0 }, true],
  ['a negative 0', { antennas: [0, 0], bodyYaw: -0 }, true],
  ['a 0 that the SDK calls its default', { head: turned(0), bodyYaw: 0, bodyYawGiven: false }, true],
  ['a 0 that the program gave', { head: turned(0), bodyYaw: 0, bodyYawGiven: true }, false],
  ['a 0 alone', { bodyYaw: 0 }, false],
  ['a 0 beside nulls', { head: null, antennas: null, bodyYaw: 0 }, false],
  ['another yaw', { head: turned(0), bodyYaw: 0.01 }, false],
])('%s is weak or not', async (_name, target, isWeak) => {
  const { robot, loop, newProgram } = await awakeRobot();
  const { say, news } = newProgram();
  say(goto('1', target));
  await loop.pass(0.1);
  say(stream({ bodyYaw: 0.5 }));
  await loop.pass(1.2);
  expect(news()).toEqual(isWeak ? [done('1')] : [dropped('bodyYaw'), done('1')]);
  expect(robot.pose.joints.bodyYaw > 0.4).toBe(isWeak);
});

test('while the head of a stream is out of reach its antennas go on', async () => {
  const { robot, loop, newProgram } = await awakeRobot();
  const { say, news } = newProgram();
  const tooHigh = poseFrom({ rollRad: 0, pitchRad: 0, yawRad: 0 }, [0, 0, 0.1]);
  say(stream({ head: tooHigh, antennas: [0.5, -0.5], bodyYaw: 0.3 }));
  await loop.pass(0.5);
  expect(news()).toMatchObject([{ type: 'error', code: 'unreachable', id: null }]);
  const { joints, head } = robot.pose;
  expect(joints.antennas[0]).toBeCloseTo(0.5, 2);
  expect(joints.bodyYaw).toBeCloseTo(0, 2);
  expect(head[11]).toBeCloseTo(defaultPosture.head[11] ?? 0, 3);
  say(stream({ head: new Array<number>(16).fill(1), antennas: [0, 0] }));
  await loop.pass(0.5);
  expect(robot.pose.joints.antennas[0]).toBeCloseTo(0.5, 2); // no pose at all: nothing of it counts
});

test.each<[string, (program: { session: SdkSession }) => void]>([
  ['has left', ({ session }) => session.closed()],
  ['does not answer', ({ session }) => session.silent(true)],
])('the gotos of a program that %s go on, and yield to the next program', async (_name, end) => {
  const { robot, loop, newProgram } = await awakeRobot();
  const [first, second] = [newProgram(), newProgram()];
  first.say(goto('1', { head: turned(0.4), antennas: [1, -1], durationS: 10 }));
  await loop.pass(5);
  second.say(stream({ antennas: [0, 0] }));
  expect(second.news()).toEqual([dropped('antennas')]);
  end(first);
  await loop.pass(3);
  second.say(stream({ antennas: [0, 0] }));
  second.say(goto('2', { antennas: [0, 0], ifBusy: 'refuse' }));
  await loop.pass(3);
  expect(second.news()).toEqual([done('2')]);
  expect(robot.pose.joints.antennas[0]).toBeCloseTo(0, 2);
  expect(robot.pose.head[4]).toBeCloseTo(Math.sin(0.4), 2);
});

test('a program that answers again has its gotos back, except the parts that others have taken', async () => {
  const { loop, newProgram } = await awakeRobot();
  const [first, second] = [newProgram(), newProgram()];
  first.say(goto('1', { head: turned(0.4), antennas: [1, -1], bodyYaw: 0, durationS: 10 }));
  await loop.pass(4);
  first.session.silent(true);
  second.say(stream({ antennas: [0, 0] }));
  first.held.splice(0);
  first.session.silent(false);
  expect(first.held).toEqual([expect.closeTo(6, 1)]);
  first.say(stream({ head: turned(0), antennas: [0.5, 0.5], bodyYaw: 0.1 }));
  expect(first.news()).toEqual([dropped('head')]);
  await loop.pass(6.1);
  expect(first.news()).toEqual([done('1', { outcome: 'done', lost: ['antennas'] })]);
});

test('a program that answers again while another has the slot gets no goto back', async () => {
  const { loop, newProgram } = await awakeRobot();
  const [first, second] = [newProgram(), newProgram()];
  first.say(goto('1', { head: turned(0.4), durationS: 10 }));
  await loop.pass(1);
  first.session.silent(true);
  first.refuseMotion();
  first.session.silent(false);
  second.say(stream({ head: turned(0) }));
  await loop.pass(0.1);
  expect([first.news(), second.news()]).toEqual([[done('1', { outcome: 'replaced' })], []]);
});

test('a long goto holds the slot for its duration, also when it loses a part', async () => {
  const { newProgram } = await awakeRobot();
  const { say, held } = newProgram();
  say(goto('1', { head: turned(0.4), antennas: [1, -1], durationS: 60 }));
  say(goto('2', { antennas: [1, -1] }));
  say(stream({ bodyYaw: 0.1 }));
  expect(held).toEqual([0, 60, 0, 1, 0]);
});

test('a refused goto leaves its parts to the others', async () => {
  const { loop, newProgram } = await awakeRobot();
  const { say, news } = newProgram();
  say(goto('1', { head: turned(0.4) }));
  say(goto('2', { head: turned(0), antennas: [0, 0], ifBusy: 'refuse' }));
  say(goto('3', { antennas: [0, 0], bodyYaw: 0, ifBusy: 'refuse' }));
  say(stream({ antennas: [0, 0] }));
  await loop.pass(1.2);
  expect(news()).toMatchObject([
    dropped('antennas'), // for the third; refusals are sent a moment later
    { type: 'error', code: 'busy', id: '2', message: expect.stringContaining('busy moving') },
    done('1'),
    done('3'),
  ]);
});

test('a program gets the volume at its hello and with each change, until it leaves', async () => {
  const { volumes, newProgram } = await awakeRobot();
  const { session, heard } = newProgram();
  volumes.publish(40);
  session.closed();
  volumes.publish(60);
  expect(heard()).toEqual([100, 40]);
});

test('a program switches gravity compensation and automatic body yaw; when it leaves, both are as before', async () => {
  const { robot, loop, newProgram } = await awakeRobot();
  const { session, say, news } = newProgram();
  say({ type: 'set_gravity_compensation', id: '1', enabled: true });
  say({ type: 'set_automatic_body_yaw', id: '2', enabled: false });
  await loop.pass(0.1);
  expect(news()).toEqual([done('1'), done('2')]);
  expect(robot.isGuided).toBe(true);
  say(stream({ antennas: [0, 0] }));
  expect(news()).toMatchObject([{ type: 'error', code: 'robot-unavailable', id: null }]);
  session.closed();
  expect(robot.isGuided).toBe(false);
  await loop.until(robot.goto({ head: turned(1.5) }, { durationS: 1, method: 'linear', ifBusy: 'replace' }).ended);
  expect(robot.pose.joints.bodyYaw).toBeGreaterThan(0.3);
});

test.each<[string, unknown, string | null]>([
  ['an angle that is too large', goto('1', { antennas: [1000, 0] }), '1'],
  ['a name that is too long', { type: 'play_move', id: '2', move: 'x'.repeat(65), initialGotoS: 0 }, '2'],
  ['a type that does not exist', { type: 'fly', id: '3' }, '3'],
  ['no id', stream({ antennas: [1] }), null],
  ['an id that is none', { type: 'wake_up', id: 4 }, null],
  ['an id that is too long', { type: 'wake_up', id: 'x'.repeat(65) }, null],
  ['no object', null, null],
  ['a list', [], null],
])('a malformed message is answered with its id, if it has one: %s', async (_name, message, id) => {
  const { newProgram } = await awakeRobot();
  const { session, news } = newProgram();
  await session.receive(JSON.stringify(message));
  expect(news()).toMatchObject([{ type: 'error', code: 'bad-message', id }]);
});

test('a fold is cut off when its program is asked to stop', async () => {
  const { robot, loop, newProgram } = await awakeRobot();
  const { say, news, askToStop } = newProgram();
  say({ type: 'goto_sleep', id: '1' });
  await loop.pass(0.2);
  askToStop();
  await loop.pass(3);
  expect(news()).toEqual([{ type: 'stop' }, done('1', { outcome: 'stopped' })]);
  expect(robot.state).toMatchObject({ state: 'awake', torque: true });
});

test('a program that is asked to stop is cut off: its motion ends, it is muted, and it moves nothing any more', async () => {
  const { robot, loop, volumes, newProgram } = await awakeRobot();
  const { say, news, heard, askToStop } = newProgram();
  say(goto('1', { head: turned(0.5), durationS: 10 }));
  await loop.pass(1);
  askToStop();
  await loop.pass(0.1);
  const { joints: there } = robot.pose;
  expect(heard()).toEqual([100, 0]);
  expect(news()).toEqual([{ type: 'stop' }, done('1', { outcome: 'stopped' })]);
  volumes.publish(80);
  say(goto('2', { head: turned(-0.5) }));
  say(stream({ antennas: [1, -1] }));
  say({ type: 'wake_up', id: '3' });
  say({ type: 'set_torque', id: '4', on: true });
  await loop.pass(2);
  expect(heard()).toEqual([]);
  expect(news()).toEqual([done('2', { outcome: 'stopped' }), done('3', { outcome: 'stopped' }), done('4')]);
  const { joints: now } = robot.pose;
  const moved = [...now.stewart, ...now.antennas].map((rad, joint) =>
    Math.abs(rad - ([...there.stewart, ...there.antennas][joint] ?? 0)),
  );
  expect(Math.max(...moved)).toBeLessThan(0.001);
});
