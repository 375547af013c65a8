/** A robot that is to be awake where nobody waits for its wake-up, as at the start. */
import { expect, test } from 'vitest';
import type { DaemonEvent } from '../contract/events.ts';
import { createLogger } from '../shared/logger.ts';
import { ManualLoop } from '../testing/manual-loop.ts';
import { RobotUnavailable } from './errors.ts';
import { Robot } from './robot.ts';
import { SimulationBackend } from './simulation/simulation-backend.ts';

const SILENT = 'The motor stewart_6 does not answer.';
const notYet = { state: 'asleep', reason: `The wake-up failed and is tried again: ${SILENT}`, action: null };
const awake = { state: 'awake', torque: true, atDefault: true, reason: null };

/**
 * A connected robot that was started to be awake. Its torque cannot be switched, the first so many times; `halfway`: it is
 * switched, but an answer is missing.
 */
async function startedRobot({ failures, halfway = false }: { failures: number; halfway?: boolean }) {
  const backend = new SimulationBackend({ noiseRad: 0 });
  const loop = new ManualLoop();
  const events: DaemonEvent[] = [];
  const logged: string[] = [];
  const log = createLogger('warn', (line) => logged.push(line.slice(13).trim()));
  const robot = new Robot({ backend, loop, publish: (event) => void events.push(event), log });
  const world = { failures, tries: 0 };
  const setTorque = backend.setTorque.bind(backend);
  backend.setTorque = async (on, motors) => {
    world.tries += 1;
    if (world.tries > world.failures || halfway) await setTorque(on, motors);
    if (world.tries <= world.failures) throw new RobotUnavailable(SILENT);
  };
  robot.start({ wakeUp: true });
  await loop.pass(0.1);
  return { robot, backend, loop, world, events, logged };
}

test('a wake-up that fails is tried again after a second, and the robot says why it still sleeps', async () => {
  const { robot, loop, world, events, logged } = await startedRobot({ failures: 1 });
  expect(robot.state).toMatchObject(notYet);
  await loop.pass(0.8);
  expect([world.tries, robot.state.state]).toEqual([1, 'asleep']);
  await loop.pass(3);
  expect(robot.state).toMatchObject(awake);
  expect(logged).toEqual([`warn  robot: ${SILENT}`]);
  expect(statesIn(events)).toEqual(['waking', 'asleep', `asleep: ${notYet.reason}`, 'waking', 'awake']);
});

/** The published states with their reasons; each once until the next. */
function statesIn(events: readonly DaemonEvent[]): string[] {
  const robots = events.flatMap((event) => (event.type === 'robot.changed' ? [event.robot] : []));
  const texts = robots.map(({ state, reason }) => (reason === null ? state : `${state}: ${reason}`));
  return texts.filter((text, index) => text !== texts[index - 1]);
}

test('a wake-up that fails after the motors were switched on is tried again as well, and the robot says why', async () => {
  const { robot, loop, events, world } = await startedRobot({ failures: 1, halfway: true });
  expect(robot.state).toMatchObject({ ...notYet, state: 'awake', torque: true, atDefault: false });
  let woken = 0;
  robot.onWakeUp(() => {
    woken += 1;
  });
  await loop.pass(4);
  expect(robot.state).toMatchObject(awake);
  expect([woken, world.tries]).toEqual([1, 1]);
  expect(statesIn(events)).toEqual(['waking', 'awake', `awake: ${notYet.reason}`, 'awake']);
});

const nod = { antennas: [0.3, -0.3] as [number, number] };
test.each<[string, (robot: Robot) => unknown]>([
  ['a goto', (robot) => robot.goto(nod, { durationS: 0.5, method: 'minjerk', ifBusy: 'replace' })],
  ['a target', (robot) => robot.setTarget(nod)],
  ['a hand', (robot) => robot.setGuided(true)],
  ['a stop', (robot) => robot.stop()],
])('a robot with its motors on that is moved by %s before the next try is not woken any more', async (_by, command) => {
  const { robot, loop } = await startedRobot({ failures: 1, halfway: true });
  await loop.pass(0.5);
  command(robot);
  await loop.pass(10);
  expect(robot.state).toMatchObject({ state: 'awake', atDefault: false, reason: null });
});

test('the pauses grow; after four more tries the wake-up is given up, and a person can wake the robot', async () => {
  const { robot, loop, world } = await startedRobot({ failures: 5 });
  const tries: number[] = [];
  for (const pauseS of [1, 2, 5, 10, 60]) {
    await loop.pass(pauseS);
    tries.push(world.tries);
  }
  expect(tries).toEqual([2, 3, 4, 5, 5]);
  const reason = `The wake-up failed: ${SILENT}`;
  expect(robot.state).toMatchObject({ state: 'asleep', connected: true, reason, action: 'Wake it again.' });
  expect(() => robot.setTarget({ antennas: [0, 0] })).toThrow(`${reason} Wake it again.`);
  expect(await loop.until(robot.wakeUp())).toBe('done');
  expect(robot.state).toMatchObject(awake);
});

test.each<[string, (robot: Robot) => Promise<unknown>, string]>([
  ['put to sleep', (robot) => robot.sleep(), 'asleep'],
  ['switched off', (robot) => robot.setTorque(false), 'asleep'],
  ['with one motor switched on', (robot) => robot.setTorque(true, ['left_antenna']), 'awake'],
  ['parked', (robot) => robot.park(), 'asleep'],
  ['stopped', async (robot) => robot.stop(), 'asleep'],
])('a robot that is %s meanwhile is not woken', async (_name, command, state) => {
  const { robot, loop, world } = await startedRobot({ failures: 1 });
  await loop.until(command(robot));
  const { tries } = world;
  await loop.pass(60);
  expect(robot.state).toMatchObject({ state, torque: false, reason: null });
  expect(world.tries).toBe(tries);
});

test('a command that fails beside the wake-up ends the tries, since its caller gets the reason', async () => {
  const { robot, loop, world } = await startedRobot({ failures: 3 });
  await loop.pass(0.9);
  await expect(loop.until(robot.wakeUp())).rejects.toThrow(SILENT);
  await loop.pass(60);
  expect(robot.state).toMatchObject({ state: 'asleep', reason: null });
  expect(world.tries).toBe(2);
});

test('a motor that has shut down is not rebooted until somebody has looked', async () => {
  const { robot, backend, loop, world } = await startedRobot({ failures: 1 });
  backend.simulator.setFaults([{ kind: 'overload', motor: 'stewart_3' }]);
  backend.simulator.setFaults([]);
  await loop.pass(60);
  expect(robot.state).toMatchObject({ state: 'error', action: expect.stringContaining('nothing blocks the robot') });
  expect(world.tries).toBe(1);
});

test('a robot that is connected again starts over', async () => {
  const { robot, backend, loop, world } = await startedRobot({ failures: 6 });
  await loop.pass(18.5);
  expect(world.tries).toBe(5);
  backend.simulator.setFaults([{ kind: 'unplugged' }]);
  await loop.pass(0.1);
  expect(robot.state).toMatchObject({ state: 'disconnected', reason: 'The simulated robot is unplugged.' });
  backend.simulator.setFaults([]);
  await loop.pass(0.1);
  expect(robot.state).toMatchObject(notYet);
  await loop.pass(4);
  expect(robot.state).toMatchObject(awake);
});
