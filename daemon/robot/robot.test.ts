import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import type { DaemonEvent } from '../contract/events.ts';
import type { RobotJoints } from '../contract/robot.ts';
import { createLogger } from '../shared/logger.ts';
import { largestDifference } from './joints.ts';
import { defaultPosture } from './kinematics/geometry.ts';
import { poseFrom, rollPitchYawOf } from './kinematics/pose.ts';
import { jointsOf } from './posture.ts';
import { Robot, sleepJoints } from './robot.ts';
import { SimulationBackend } from './simulation/simulation-backend.ts';

const robots: Robot[] = [];
afterEach(() => Promise.all(robots.splice(0).map((robot) => robot.close())));

function startRobot() {
  const events: DaemonEvent[] = [];
  const backend = new SimulationBackend(sleepJoints);
  const robot = new Robot({ backend, publish: (event) => events.push(event), log: createLogger('error') });
  robot.start();
  robots.push(robot);
  return { robot, backend, events };
}

test('wakes to its default position with torque, sleeps without', async () => {
  const { robot, events } = startRobot();
  expect(robot.state).toMatchObject({ state: 'asleep', torque: false, atDefault: false });
  expect(() => robot.setTarget({ antennas: [0, 0] })).toThrow('The robot is asleep. Wake it first.');
  await robot.wakeUp();
  expect(robot.state).toMatchObject({ state: 'awake', torque: true, atDefault: true, motion: null });
  await robot.sleep();
  expect(robot.state).toMatchObject({ state: 'asleep', torque: false });
  expect(largestDifference(robot.pose.joints, sleepJoints)).toBeLessThan(0.03);
  const states = events.flatMap((event) => (event.type === 'robot.changed' ? [event.robot.state] : []));
  expect([...new Set(states)]).toEqual(['asleep', 'waking', 'awake', 'going-to-sleep']);
});

test('a motion goes to its end, another one replaces it, and the head is where it was sent', async () => {
  const { robot } = startRobot();
  await robot.wakeUp();
  const replaced = robot.goto({ antennas: [1, -1] }, 5, 'minjerk');
  const head = poseFrom({ rollRad: 0.2, pitchRad: -0.1, yawRad: 0.4 }, [0, 0, 0.005]);
  const done = robot.goto({ head, bodyYaw: 0.3 }, 0.3, 'minjerk');
  expect(await Promise.all([replaced, done])).toEqual(['replaced', 'done']);
  await sleep(200);
  const { rollRad, pitchRad, yawRad } = rollPitchYawOf(robot.pose.head);
  expect([rollRad, pitchRad, yawRad]).toEqual([
    expect.closeTo(0.2, 2),
    expect.closeTo(-0.1, 2),
    expect.closeTo(0.4, 2),
  ]);
  expect(robot.pose.joints.bodyYaw).toBeCloseTo(0.3, 2);
  await robot.returnToDefault();
  expect(robot.state).toMatchObject({ state: 'awake', atDefault: true });
});

test('at its default position already, it is back there at once, and a target just given is forgotten', async () => {
  const { robot, events } = startRobot();
  await robot.wakeUp();
  await sleep(100);
  events.length = 0;
  robot.setTarget({ antennas: [1, -1] });
  await robot.returnToDefault();
  await sleep(100);
  expect(robot.state).toMatchObject({ atDefault: true, motion: null });
  expect(events.filter(({ type }) => type === 'robot.changed')).toEqual([]);
});

test('what is out of reach is refused in words and changes nothing', async () => {
  const { robot } = startRobot();
  await robot.wakeUp();
  expect(() => robot.setTarget({ antennas: [4, 0] })).toThrow(
    'The right antenna cannot go to 229°: its range is ±180°.',
  );
  expect(() => robot.setTarget({ bodyYaw: 3 })).toThrow('The body cannot turn to 172°: its range is ±160°.');
  const far = poseFrom({ rollRad: 0, pitchRad: 0, yawRad: 0 }, [0, 0, 0.1]);
  expect(() => robot.setTarget({ head: far })).toThrow('The head cannot reach that pose');
  expect(() => robot.goto({ head: new Array<number>(16).fill(1) }, 1, 'linear')).toThrow('not a rotation');
  await sleep(60);
  expect(robot.state.atDefault).toBe(true);
});

test('the body turns along when the head turns further than it may alone', async () => {
  const { robot } = startRobot();
  await robot.wakeUp();
  await robot.goto({ head: poseFrom({ rollRad: 0, pitchRad: 0, yawRad: Math.PI / 2 }) }, 0.6, 'minjerk');
  await sleep(200);
  expect((robot.pose.joints.bodyYaw * 180) / Math.PI).toBeCloseTo(25, 0);
});

test('however far a target jumps, no joint is told to move faster than 8 rad/s', async () => {
  const { robot, backend } = startRobot();
  await robot.wakeUp();
  const told: { joints: RobotJoints; elapsedS: number }[] = [];
  const exchange = backend.exchange.bind(backend);
  backend.exchange = (joints, elapsedS) => {
    told.push({ joints, elapsedS });
    return exchange(joints, elapsedS);
  };
  for (let turn = 0; turn < 6; turn++) {
    robot.setTarget({ antennas: turn % 2 ? [3, -3] : [-3, 3], bodyYaw: turn % 2 ? 1 : -1 });
    await sleep(70);
  }
  let previous = jointsOf(defaultPosture) as RobotJoints;
  for (const { joints, elapsedS } of told) {
    expect(largestDifference(joints, previous)).toBeLessThanOrEqual(8 * elapsedS + 1e-9);
    previous = joints;
  }
});
