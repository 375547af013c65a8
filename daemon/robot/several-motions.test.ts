import { beforeEach, expect, test } from 'vitest';
import { createLogger } from '../shared/logger.ts';
import { ManualLoop } from '../testing/manual-loop.ts';
import { poseFrom } from './kinematics/pose.ts';
import type { MotionEnd } from './motions/motion.ts';
import { Robot } from './robot.ts';
import { SimulationBackend } from './simulation/simulation-backend.ts';

const head = poseFrom({ rollRad: 0, pitchRad: 0, yawRad: 0.3 });
let backend: SimulationBackend;
let loop: ManualLoop;
let robot: Robot;

beforeEach(async () => {
  backend = new SimulationBackend({ noiseRad: 0 });
  loop = new ManualLoop();
  robot = new Robot({ backend, loop, publish: () => {}, log: createLogger('error', () => {}) });
  robot.start({ wakeUp: true });
  await loop.pass(2);
});

/** The ends of three gotos of different parts. */
function threeGotos(): Promise<PromiseSettledResult<MotionEnd>[]> {
  const gotos = [{ head }, { antennas: [1, -1] }, { bodyYaw: 0.4 }].map(
    (change) => robot.goto(change, { durationS: 2, method: 'minjerk', ifBusy: 'refuse' }).ended,
  );
  return Promise.allSettled(gotos);
}

const outcomes = (ends: readonly PromiseSettledResult<MotionEnd>[]) =>
  ends.map((end) => (end.status === 'fulfilled' ? end.value.outcome : (end.reason as Error).message));

test('gotos of different parts run together', async () => {
  const ends = threeGotos();
  await loop.pass(1.5);
  expect(robot.state.motion).toBe('moving');
  expect(outcomes(await loop.until(ends))).toEqual(['done', 'done', 'done']);
  await loop.pass(0.3);
  expect(robot.state.motion).toBeNull();
  const { joints } = robot.pose;
  expect([joints.bodyYaw, joints.antennas[0], robot.pose.head[4]]).toEqual(
    [0.4, 1, Math.sin(0.3)].map((value) => expect.closeTo(value, 2)),
  );
});

test.each<[string, () => unknown, string]>([
  ['a stop', () => robot.stop(), 'stopped'],
  ['a switch of one motor', () => robot.setTorque(false, ['left_antenna']), 'stopped'],
  ['a switch of all motors', () => robot.setTorque(false), 'stopped'],
  ['a fold', () => robot.sleep(), 'replaced'],
  ['a wake-up', () => robot.wakeUp(), 'replaced'],
  ['a return to the default position', () => robot.returnToDefault(), 'replaced'],
  ['a shutdown', () => robot.park(), 'replaced'],
  [
    'a cable that is pulled',
    () => backend.simulator.setFaults([{ kind: 'unplugged' }]),
    'The simulated robot is unplugged.',
  ],
  [
    'a motor that shuts down',
    () => backend.simulator.setFaults([{ kind: 'overload', motor: 'stewart_3' }]),
    'A motor has shut down: stewart_3 (overloaded). Make sure that nothing blocks the robot, then wake it.',
  ],
])('%s ends all gotos', async (_name, command, outcome) => {
  const ends = threeGotos();
  await loop.pass(1);
  const commanded = Promise.resolve(command());
  expect(outcomes(await loop.until(ends))).toEqual([outcome, outcome, outcome]);
  await loop.until(commanded);
});

test('during a motion of its own the robot drops every target, and follows afterwards', async () => {
  robot.setTarget({ antennas: [1, -1], bodyYaw: 0.3 });
  await loop.pass(0.5);
  const returning = robot.returnToDefault();
  await loop.pass(0.1);
  expect(robot.state).toMatchObject({ state: 'awake', motion: 'returning to default' });
  const { dropped } = robot.setTarget({ head, antennas: [1, -1], bodyYaw: 0.3 });
  expect(dropped.map(({ part, owner }) => [part, owner.plan.name])).toEqual([
    ['head', 'returning to default'],
    ['antennas', 'returning to default'],
    ['bodyYaw', 'returning to default'],
  ]);
  expect(await loop.until(returning)).toBe('done');
  expect(robot.state.atDefault).toBe(true);
  expect(robot.setTarget({ antennas: [1, -1] }).dropped).toEqual([]);
});

test('a goto takes a part of the motion of the robot itself, which goes on with the others', async () => {
  robot.setTarget({ antennas: [1, -1], bodyYaw: 0.3 });
  await loop.pass(0.5);
  const returning = robot.returnToDefault();
  await loop.pass(0.1);
  const { ended } = robot.goto({ antennas: [0.5, -0.5] }, { durationS: 1, method: 'linear', ifBusy: 'replace' });
  expect(robot.state.motion).toBe('returning to default');
  expect(await loop.until(returning)).toBe('done');
  expect(robot.state.motion).toBe('moving');
  expect(await loop.until(ended)).toMatchObject({ outcome: 'done' });
  await loop.pass(0.3);
  expect(robot.pose.joints.bodyYaw).toBeCloseTo(0, 2);
  expect(robot.pose.joints.antennas[0]).toBeCloseTo(0.5, 2);
});

test('gotos yield to the app that starts, motions of the robot itself do not', async () => {
  const { ended } = robot.goto({ head, antennas: [1, -1] }, { durationS: 600, method: 'linear', ifBusy: 'replace' });
  await loop.pass(1);
  robot.yieldGotos();
  expect(robot.setTarget({ head, antennas: [0, 0], bodyYaw: 0.1 })).toEqual({ clamped: [], dropped: [] });
  expect(await ended).toMatchObject({ outcome: 'replaced' });
  const returning = robot.returnToDefault();
  robot.yieldGotos();
  expect(robot.setTarget({ head }).dropped).toMatchObject([{ part: 'head' }]);
  expect(await loop.until(returning)).toBe('done');
});
