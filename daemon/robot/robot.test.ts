import { expect, test } from 'vitest';
import type { DaemonEvent } from '../contract/events.ts';
import { createLogger } from '../shared/logger.ts';
import { ManualLoop } from '../testing/manual-loop.ts';
import { poseFrom, rollPitchYawOf } from './kinematics/pose.ts';
import { defaultJoints, sleepJoints } from './motions/posture.ts';
import { largestDifference } from './motors.ts';
import { Robot } from './robot.ts';
import { SimulationBackend } from './simulation/simulation-backend.ts';

/** A robot with controlled time. */
function newRobot(options: { wakeUp?: boolean; noiseRad?: number } = {}) {
  const events: DaemonEvent[] = [];
  const backend = new SimulationBackend({ noiseRad: options.noiseRad ?? 0 });
  const loop = new ManualLoop();
  const publish = (event: DaemonEvent) => void events.push(event);
  const robot = new Robot({ backend, loop, publish, log: createLogger('error', () => {}) });
  robot.start({ wakeUp: options.wakeUp ?? false });
  return { robot, backend, loop, events };
}

async function awakeRobot() {
  const made = newRobot();
  await made.loop.until(made.robot.wakeUp());
  return made;
}

const defaults = { durationS: 1, method: 'minjerk', ifBusy: 'replace' } as const;
const still = { rollRad: 0, pitchRad: 0, yawRad: 0 };
const outOfReach = poseFrom(still, [0, 0, 0.1]);

test('wakes to its default position with torque, sleeps without', async () => {
  const { robot, loop, events } = newRobot();
  expect(robot.state).toMatchObject({ state: 'asleep', torque: false, atDefault: false });
  expect(() => robot.setTarget({ antennas: [0, 0] })).toThrow('The robot is asleep. Wake it first.');
  expect(await loop.until(robot.wakeUp())).toBe('done');
  expect(robot.state).toMatchObject({ state: 'awake', torque: true, atDefault: true, motion: null });
  await loop.until(robot.sleep());
  expect(robot.state).toMatchObject({ state: 'asleep', torque: false });
  expect(largestDifference(robot.pose.joints, sleepJoints)).toBeLessThan(0.03);
  const states = events.flatMap((event) => (event.type === 'robot.changed' ? [event.robot.state] : []));
  expect([...new Set(states)]).toEqual(['asleep', 'waking', 'awake', 'going-to-sleep']);
});

test('a robot that is to be awake from the start wakes up automatically', async () => {
  const { robot, loop } = newRobot({ wakeUp: true });
  await loop.pass(2);
  expect(robot.state).toMatchObject({ state: 'awake', atDefault: true });
});

test('two wake-ups at once are one, and both settle', async () => {
  const { robot, loop } = newRobot();
  let woken = 0;
  robot.onWakeUp(() => {
    woken += 1;
  });
  expect(await loop.until(Promise.all([robot.wakeUp(), robot.wakeUp()]))).toEqual(['done', 'done']);
  expect(woken).toBe(1);
});

test('the last of wake and sleep wins', async () => {
  const { robot, loop } = newRobot();
  const waking = robot.wakeUp();
  await loop.pass(0.3);
  expect(await loop.until(Promise.all([robot.sleep(), waking]))).toEqual(['done', 'replaced']);
  expect(robot.state).toMatchObject({ state: 'asleep', torque: false });
  await loop.until(robot.wakeUp());
  const folding = robot.sleep();
  await loop.pass(0.3);
  expect(await loop.until(Promise.all([robot.wakeUp(), folding]))).toEqual(['done', 'replaced']);
  expect(robot.state).toMatchObject({ state: 'awake', torque: true, atDefault: true });
});

test('a motion runs to its end or is replaced, and the head reaches the target', async () => {
  const { robot, loop } = await awakeRobot();
  const replaced = robot.goto({ bodyYaw: -0.3 }, { ...defaults, durationS: 5 });
  const head = poseFrom({ rollRad: 0.2, pitchRad: -0.1, yawRad: 0.4 }, [0, 0, 0.005]);
  const done = robot.goto({ head, bodyYaw: 0.3 }, defaults);
  expect(await loop.until(Promise.all([replaced.ended, done.ended]))).toMatchObject([
    { outcome: 'replaced' },
    { outcome: 'done' },
  ]);
  await loop.pass(0.3);
  const { rollRad, pitchRad, yawRad } = rollPitchYawOf(robot.pose.head);
  expect([rollRad, pitchRad, yawRad]).toEqual([0.2, -0.1, 0.4].map((angle) => expect.closeTo(angle, 3)));
  expect(robot.pose.joints.bodyYaw).toBeCloseTo(0.3, 3);
  await loop.until(robot.returnToDefault());
  expect(robot.state).toMatchObject({ state: 'awake', atDefault: true });
});

test('a motion that must not replace another is refused during a motion, with a reason', async () => {
  const { robot, loop } = await awakeRobot();
  const { ended } = robot.goto({ antennas: [1, -1] }, defaults);
  expect(() => robot.goto({ antennas: [0, 0] }, { ...defaults, ifBusy: 'refuse' })).toThrow(
    'The robot is busy moving. Wait until it has finished, or replace the motion.',
  );
  expect(await loop.until(ended)).toMatchObject({ outcome: 'done' });
  const later = robot.goto({ antennas: [0, 0] }, { ...defaults, ifBusy: 'refuse' });
  expect(await loop.until(later.ended)).toMatchObject({ outcome: 'done' });
});

test('a stopped robot stays where it is', async () => {
  const { robot, loop } = await awakeRobot();
  const { ended } = robot.goto({ antennas: [2, -2] }, { ...defaults, durationS: 2 });
  await loop.pass(1);
  robot.stop();
  expect(await ended).toMatchObject({ outcome: 'stopped' });
  const where = robot.pose.joints;
  await loop.pass(1);
  expect(largestDifference(robot.pose.joints, where)).toBeLessThan(0.2); // what it was behind its command
  expect(robot.state).toMatchObject({ state: 'awake', motion: null, atDefault: false });
});

test('a return to the default position ends at once if the robot is already there, and drops a new target', async () => {
  const { robot, loop, events } = await awakeRobot();
  await loop.pass(0.2);
  events.length = 0;
  robot.setTarget({ antennas: [1, -1] });
  await loop.until(robot.returnToDefault());
  await loop.pass(0.2);
  expect(robot.state).toMatchObject({ atDefault: true, motion: null });
  expect(events.filter(({ type }) => type === 'robot.changed')).toEqual([]);
});

test('a return to the default position is not stopped by motors that are just being switched on', async () => {
  const { robot, loop } = await awakeRobot();
  await loop.until(robot.goto({ antennas: [2, -2] }, defaults).ended);
  await loop.until(robot.setTorque(false, ['right_antenna', 'left_antenna']));
  const switched = robot.setTorque(true, ['right_antenna', 'left_antenna']); // an app does not wait for it during a stop
  expect(await loop.until(robot.returnToDefault())).toBe('done');
  await switched;
  expect(robot.state).toMatchObject({ state: 'awake', torque: true, atDefault: true });
});

test('an unreachable target is refused with a reason and changes nothing', async () => {
  const { robot, loop } = await awakeRobot();
  expect(() => robot.setTarget({ head: outOfReach })).toThrow('The head cannot reach that pose');
  expect(() => robot.goto({ head: new Array<number>(16).fill(1) }, defaults)).toThrow('not a rotation');
  expect(() => robot.setTarget({ antennas: [Number.NaN, 0] })).toThrow('Every angle must be a number.');
  await loop.pass(0.1);
  expect(robot.state.atDefault).toBe(true);
});

test('clamped parts are reported', async () => {
  const { robot } = await awakeRobot();
  expect(robot.setTarget({ antennas: [4, 0], bodyYaw: -3 }).clamped).toEqual([
    {
      part: 'bodyYaw',
      wantedRad: -3,
      givenRad: expect.closeTo(-1.1345),
      why: 'The body goes to -65° instead of -172°. The head can turn 65° against it.',
    },
    {
      part: 'rightAntenna',
      wantedRad: 4,
      givenRad: Math.PI,
      why: 'The right antenna goes to 180° instead of 229°. Its range is ±180°.',
    },
  ]);
  expect(robot.setTarget({ antennas: [1, 0], bodyYaw: 0 })).toEqual({ clamped: [], dropped: [] });
});

test('the body turns with a head that turns too far, and is reported as clamped', async () => {
  const { robot, loop } = await awakeRobot();
  const { ended } = robot.goto({ head: poseFrom({ ...still, yawRad: Math.PI / 2 }) }, defaults);
  const { clamped } = await loop.until(ended);
  expect(clamped).toMatchObject([{ part: 'bodyYaw', wantedRad: 0, givenRad: expect.closeTo(0.4363) }]);
  await loop.pass(0.3);
  expect((robot.pose.joints.bodyYaw * 180) / Math.PI).toBeCloseTo(25, 1);
});

test('motors that are switched off are limp, and hold where they are when they are switched on', async () => {
  const { robot, loop } = await awakeRobot();
  await loop.until(robot.setTorque(false, ['right_antenna']));
  expect(robot.state).toMatchObject({ state: 'awake', torque: false });
  await loop.pass(2);
  expect(robot.pose.joints.antennas[0]).toBeCloseTo(-3.05, 1);
  expect(robot.pose.joints.antennas[1]).toBeCloseTo(0.1745, 2);
  await loop.until(robot.setTorque(true, ['right_antenna']));
  await loop.pass(0.5);
  expect(robot.pose.joints.antennas[0]).toBeCloseTo(-3.05, 1);
  expect(robot.state.torque).toBe(true);
});

test('with all motors off a motion is refused; a return to default switches them on', async () => {
  const { robot, loop } = await awakeRobot();
  await loop.until(robot.setTorque(false));
  await loop.pass(2);
  expect(largestDifference(robot.pose.joints, sleepJoints)).toBeLessThan(0.1); // the head has sunk
  expect(() => robot.setTarget({ antennas: [0, 0] })).toThrow('The motors are switched off. Switch them on first.');
  expect(await loop.until(robot.returnToDefault())).toBe('done');
  expect(robot.state).toMatchObject({ state: 'awake', torque: true, atDefault: true });
});

test('a motion fails with the reason when the robot is lost; reconnected, it wakes again', async () => {
  const { robot, backend, loop } = await awakeRobot();
  const { ended } = robot.goto({ antennas: [1, -1] }, defaults);
  await loop.pass(0.2);
  backend.simulator.setFaults([{ kind: 'unplugged' }]);
  await expect(ended).rejects.toThrow('The simulated robot is unplugged.');
  expect(robot.state).toMatchObject({ state: 'disconnected', reason: 'The simulated robot is unplugged.' });
  await expect(robot.wakeUp()).rejects.toThrow('The simulated robot is unplugged. Remove this fault');
  expect(() => robot.setTarget({ antennas: [0, 0] })).toThrow('unplugged');
  await loop.pass(1);
  backend.simulator.setFaults([]);
  await loop.pass(2);
  expect(robot.state).toMatchObject({ state: 'awake', atDefault: true, reason: null });
});

test('a robot that slept when it was lost sleeps after it has reconnected', async () => {
  const { robot, backend, loop } = newRobot();
  await loop.pass(0.1);
  backend.simulator.setFaults([{ kind: 'silence' }]);
  await loop.pass(0.1);
  backend.simulator.setFaults([]);
  await loop.pass(1);
  expect(robot.state).toMatchObject({ state: 'asleep', torque: false });
});

test('a motor that shuts down ends the motion, and is rebooted by waking', async () => {
  const { robot, backend, loop } = await awakeRobot();
  const { ended } = robot.goto({ antennas: [1, -1] }, defaults);
  await loop.pass(0.2);
  backend.simulator.setFaults([{ kind: 'overload', motor: 'stewart_3' }]);
  await expect(loop.until(ended)).rejects.toThrow('A motor has shut down: stewart_3 (overloaded).');
  expect(robot.state).toMatchObject({
    state: 'error',
    action: 'Make sure that nothing blocks the robot, then wake it.',
  });
  backend.simulator.setFaults([]);
  await loop.pass(0.1);
  expect(robot.state.state).toBe('error');
  expect(await loop.until(robot.wakeUp())).toBe('done');
  expect(robot.state).toMatchObject({ state: 'awake', torque: true, atDefault: true, reason: null });
});

test('after a fault during a wake-up the robot can be woken once the fault is gone', async () => {
  const { robot, backend, loop } = newRobot();
  const waking = robot.wakeUp();
  await loop.pass(0.3);
  backend.simulator.setFaults([{ kind: 'overload', motor: 'stewart_3' }]);
  await expect(loop.until(waking)).rejects.toThrow('stewart_3');
  await expect(loop.until(robot.wakeUp())).rejects.toThrow('The motor stewart_3 does not switch on.');
  backend.simulator.setFaults([]);
  expect(await loop.until(robot.wakeUp())).toBe('done');
  expect(robot.state).toMatchObject({ state: 'awake', torque: true });
});

test('a fault also ends a stream of targets', async () => {
  const { robot, backend, loop } = await awakeRobot();
  robot.setTarget({ antennas: [3, -3] });
  await loop.pass(0.1);
  backend.simulator.setFaults([{ kind: 'overload', motor: 'stewart_3' }]);
  await loop.pass(0.1);
  const where = robot.pose.joints.antennas[0] ?? 0;
  await loop.pass(1);
  expect(robot.pose.joints.antennas[0]).toBeCloseTo(where, 1);
});

test.each<[string, (robot: Robot) => Promise<unknown>[], boolean]>([
  ['woken as its fold ends', (robot) => [robot.wakeUp()], true],
  ['switched off, then woken', (robot) => [robot.setTorque(false), robot.wakeUp()], true],
  ['switched off, then returned', (robot) => [robot.setTorque(false), robot.returnToDefault()], true],
  ['woken, then switched off', (robot) => [robot.wakeUp(), robot.setTorque(false)], false],
  ['switched on, then folded', (robot) => [robot.setTorque(true), robot.sleep()], false],
])('orders while torque is being switched: %s', async (_name, give, holds) => {
  const { robot, loop } = await awakeRobot();
  const folding = robot.sleep();
  await loop.pass(0.3);
  while (robot.state.motion !== null) await loop.pass(0.02); // now its torque is to be cut
  await loop.until(Promise.allSettled([...give(robot), folding]));
  await loop.pass(0.1);
  expect(robot.state).toMatchObject({ torque: holds });
  if (holds) expect(robot.state).toMatchObject({ state: 'awake', atDefault: true });
});

test('a robot switched off on request stays limp, also after a reconnection', async () => {
  const { robot, backend, loop } = await awakeRobot();
  await loop.until(robot.setTorque(false));
  backend.simulator.setFaults([{ kind: 'unplugged' }]);
  await loop.pass(0.1);
  backend.simulator.setFaults([]);
  await loop.pass(3);
  expect(robot.state).toMatchObject({ state: 'asleep', torque: false });
});

test('a voltage out of range is shown at its motor and blocks nothing', async () => {
  const { robot, backend, loop } = await awakeRobot();
  const motors = backend.motors.map((motor) => ({ ...motor, faults: ['input-voltage' as const] }));
  Object.defineProperty(backend, 'motors', { get: () => motors });
  expect(robot.state).toMatchObject({ state: 'awake', reason: null });
  expect(await loop.until(robot.goto({ antennas: [0, 0] }, defaults).ended)).toMatchObject({ outcome: 'done' });
});

test('a command with huge numbers is refused, and all values stay finite', async () => {
  const { robot, loop } = await awakeRobot();
  const huge = [1, 0, 0, 1.7e308, 0, 1, 0, -1.7e308, 0, 0, 1, 1.7e308, 0, 0, 0, 1];
  expect(() => robot.setTarget({ head: huge })).toThrow('not a rotation and a translation');
  await loop.pass(0.1);
  expect(robot.state.atDefault).toBe(true);
});

test('a motion that overshoots stays within the ranges of body, head and antennas', async () => {
  const { robot, loop } = await awakeRobot();
  const seen: { body: number; between: number; antenna: number }[] = [];
  robot.onPose(({ joints, head }) => {
    const between = rollPitchYawOf(head).yawRad - joints.bodyYaw;
    seen.push({ body: joints.bodyYaw, between, antenna: joints.antennas[0] ?? 0 });
  });
  const cartoon = { ...defaults, durationS: 1.5, method: 'cartoon' } as const;
  const edge = { head: poseFrom({ ...still, yawRad: 2.6 }), bodyYaw: 2.7, antennas: [3.1, -3.1] };
  await loop.until(robot.goto(edge, cartoon).ended);
  const turned = { head: poseFrom({ ...still, yawRad: 1.1 }), bodyYaw: 0, antennas: [0, 0] };
  await loop.until(robot.goto(turned, cartoon).ended);
  const most = (part: keyof (typeof seen)[number]) => Math.max(...seen.map((look) => Math.abs(look[part])));
  expect(most('body')).toBeLessThanOrEqual(2.7926);
  expect(most('antenna')).toBeLessThanOrEqual(Math.PI + 0.001);
  expect(most('between')).toBeLessThanOrEqual(1.18); // 65°, and what the joints lag behind each other
});

test('a parked robot refuses commands', async () => {
  const { robot, loop } = await awakeRobot();
  const parking = robot.park();
  await loop.pass(0.2);
  await expect(robot.wakeUp()).rejects.toThrow('The daemon is stopping.');
  robot.stop();
  expect(await loop.until(parking)).toBe('done');
  expect(robot.state).toMatchObject({ state: 'asleep', torque: false });
});

test('a push on an antenna is reported only while the robot sleeps', async () => {
  const { robot, backend, loop } = newRobot({ noiseRad: 0.0004 });
  const touched: string[] = [];
  robot.onTouch((antenna) => touched.push(antenna));
  backend.simulator.touch('left');
  await loop.pass(1); // it has not rested long enough yet
  expect(touched).toEqual([]);
  await loop.pass(1.5);
  backend.simulator.touch('left');
  await loop.pass(1);
  backend.simulator.touch('right');
  await loop.pass(1);
  expect(touched).toEqual(['left', 'right']);
  await loop.until(robot.wakeUp());
  backend.simulator.touch('right');
  await loop.pass(1);
  await loop.until(robot.sleep());
  await loop.pass(2);
  expect(touched).toEqual(['left', 'right']);
});

test('the same seed gives the same run', async () => {
  const run = async () => {
    const { robot, loop } = newRobot({ noiseRad: 0.001, wakeUp: true });
    await loop.pass(3);
    return robot.pose;
  };
  expect(await run()).toEqual(await run());
  expect(largestDifference((await run()).joints, defaultJoints)).toBeGreaterThan(0);
});

test('joints that are moved by hand stay where they are left, and a motion takes them over from there', async () => {
  const { robot, backend, loop } = await awakeRobot();
  robot.setGuided(true);
  expect(robot.state).toMatchObject({ state: 'awake', torque: true, motion: 'moved by hand' });
  const [before = 0] = robot.pose.joints.antennas;
  for (let push = 0; push < 4; push++) {
    backend.simulator.touch('right');
    await loop.pass(1.5);
  }
  const [after = 0] = robot.pose.joints.antennas;
  expect(Math.abs(after - before)).toBeGreaterThan(0.1);
  await loop.pass(3);
  expect(robot.pose.joints.antennas[0]).toBeCloseTo(after, 3);
  expect(() => robot.setTarget({ antennas: [0, 0] })).toThrow('moved by hand');

  const { ended } = robot.goto({ bodyYaw: 0.2 }, defaults);
  expect(robot.isGuided).toBe(false);
  await loop.until(ended);
  expect(robot.pose.joints.antennas[0]).toBeCloseTo(after, 1);
  expect(robot.pose.joints.bodyYaw).toBeCloseTo(0.2, 2);
});

test('the head and the body do not sink while they are moved by hand', async () => {
  const { robot, loop } = await awakeRobot();
  const before = robot.pose.joints;
  robot.setGuided(true);
  await loop.pass(10);
  expect(largestDifference(robot.pose.joints, before)).toBeLessThan(0.02);
  robot.setGuided(false);
  expect(robot.state.motion).toBeNull();
  await loop.until(robot.returnToDefault());
  expect(robot.state.atDefault).toBe(true);
});

test('a robot that sleeps or has motors switched off is not moved by hand', async () => {
  const { robot, loop } = await awakeRobot();
  await loop.until(robot.setTorque(false, ['left_antenna']));
  expect(() => robot.setGuided(true)).toThrow('Some motors are switched off. Switch them on first.');
  await loop.until(robot.sleep());
  expect(() => robot.setGuided(true)).toThrow('The robot is asleep. Wake it first.');
});

test('without automatic body yaw the body stays, and a head turned further than 65° against it is refused', async () => {
  const { robot, loop } = await awakeRobot();
  const turned = (yawDeg: number) => ({ head: poseFrom({ ...still, yawRad: (yawDeg * Math.PI) / 180 }) });
  robot.setBodyGivesWay(false);
  await loop.until(robot.goto(turned(60), defaults).ended);
  expect(robot.pose.joints.bodyYaw).toBeCloseTo(0, 2);
  expect(() => robot.goto(turned(80), defaults)).toThrow('automatic body yaw is off');
  expect(() => robot.setTarget(turned(80))).toThrow('automatic body yaw is off');
  await loop.until(robot.goto({ ...turned(80), bodyYaw: 0.5 }, defaults).ended);
  expect(robot.pose.joints.bodyYaw).toBeCloseTo(0.5, 2);
  robot.setBodyGivesWay(true);
  await loop.until(robot.goto(turned(100), defaults).ended);
  expect(robot.pose.joints.bodyYaw).toBeGreaterThan(0.55);
});
