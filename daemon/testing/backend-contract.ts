/** The tests that every robot backend must pass: the simulation, and servos on a bus. */
import { afterEach, expect, test, vi } from 'vitest';
import type { RobotJoints } from '../contract/robot/robot.ts';
import { defaultJoints, sleepJoints } from '../robot/motions/posture.ts';
import { joined, jointsFrom, largestDifference, motorNames } from '../robot/motors.ts';
import type { Connection, RobotBackend } from '../robot/robot-backend.ts';

export interface BackendUnderTest {
  readonly backend: RobotBackend;
  /** Advances the backend's clock by one turn. */
  readonly pass: () => Promise<void>;
  /** The measurement error of a joint: noise, and the encoder's resolution. */
  readonly toleranceRad: number;
}

const TURN_S = 0.02;
const WAIT = { timeout: 10_000, interval: 20 };

export function backendContract(make: () => Promise<BackendUnderTest>): void {
  let made: BackendUnderTest | null = null;
  const connections: Connection[] = [];
  afterEach(async () => {
    await made?.backend.close();
    made = null;
    connections.length = 0;
  });

  /** Opens a backend and waits until it is ready. */
  async function up(): Promise<BackendUnderTest> {
    made = await make();
    made.backend.open((connection) => connections.push(connection));
    await is('ready');
    return made;
  }
  const is = (state: Connection['state']) =>
    vi.waitFor(async () => {
      await turns(1); // a backend notices silence only when it sends
      expect(made?.backend.connection.state).toBe(state);
    }, WAIT);
  async function turns(count: number, command?: RobotJoints): Promise<void> {
    for (let turn = 0; made && turn < count; turn++) {
      await made.backend.exchange(command ?? made.backend.measured, TURN_S);
      await made.pass();
    }
  }
  /** Moves the joints to a posture at a speed that each can follow. */
  async function lead(to: RobotJoints, seconds = 1): Promise<void> {
    const from = joined(made?.backend.measured ?? to);
    const count = seconds / TURN_S;
    for (let turn = 1; turn <= count; turn++) {
      const share = turn / count;
      await turns(1, jointsFrom(joined(to).map((angle, index) => mix(from[index] ?? 0, angle, share))));
    }
    await turns(25, to);
  }
  const awayFrom = (joints: RobotJoints) => largestDifference(made?.backend.measured ?? sleepJoints, joints);

  test('it starts folded and limp, with all nine motors answering and without faults', async () => {
    const { backend, toleranceRad } = await up();
    expect(connections.at(-1)).toEqual({ state: 'ready' });
    expect(awayFrom(sleepJoints)).toBeLessThan(toleranceRad);
    await turns(100); // enough to ask each motor in turn
    expect(backend.motors.map(({ name }) => name)).toEqual(motorNames);
    for (const motor of backend.motors) {
      expect(motor).toMatchObject({ answers: true, torque: false, mode: 'position', faults: [] });
      expect(motor.voltageV).toBeGreaterThan(4.5);
      expect(motor.temperatureC).toBeGreaterThan(15);
      expect(motor.positionRad).toBeCloseTo(joined(backend.measured)[motorNames.indexOf(motor.name)] ?? 9, 2);
    }
  });

  test('limp joints ignore commands; switched on they hold their position', async () => {
    const { backend, toleranceRad } = await up();
    await turns(10, defaultJoints);
    expect(awayFrom(sleepJoints)).toBeLessThan(toleranceRad);
    await backend.setTorque(true, motorNames);
    expect(backend.motors.every(({ torque }) => torque)).toBe(true);
    await turns(25);
    expect(awayFrom(sleepJoints)).toBeLessThan(2 * toleranceRad);
  });

  test('joints with torque follow commands, and sink when torque is cut', async () => {
    const { backend, toleranceRad } = await up();
    await backend.setTorque(true, motorNames);
    await lead(defaultJoints);
    expect(awayFrom(defaultJoints)).toBeLessThan(2 * toleranceRad);
    await backend.setTorque(false, ['right_antenna']);
    await turns(75, defaultJoints);
    expect(backend.measured.antennas[0]).toBeCloseTo(-3.05, 1);
    expect(backend.measured.antennas[1]).toBeCloseTo(0.1745, 1);
    await backend.setTorque(false, motorNames);
    await turns(75);
    expect(awayFrom(sleepJoints)).toBeLessThan(0.05);
  });

  test('an overloaded motor shuts down and reports it, and works again after it is switched on', async () => {
    const { backend } = await up();
    await backend.setTorque(true, motorNames);
    backend.simulator?.setFaults([{ kind: 'overload', motor: 'stewart_4' }]);
    const motor = () => backend.motors.find(({ name }) => name === 'stewart_4');
    await vi.waitFor(async () => {
      await turns(1);
      expect(motor()).toMatchObject({ torque: false, faults: ['overload'] });
    }, WAIT);
    expect(backend.connection.state).toBe('ready');
    backend.simulator?.setFaults([]);
    await backend.setTorque(true, motorNames);
    await turns(5);
    expect(motor()).toMatchObject({ torque: true, faults: [] });
  });

  test.each([
    ['the plug pulled', { kind: 'unplugged' }, 'disconnected'],
    ['silence on the bus', { kind: 'silence' }, 'disconnected'],
    ['a dead motor', { kind: 'dead-servo', motor: 'stewart_2' }, 'error'],
  ] as const)(
    '%s is reported with a reason and an action; afterwards the backend recovers by itself',
    async (_name, fault, state) => {
      const { backend } = await up();
      backend.simulator?.setFaults([fault]);
      await is(state);
      expect(backend.connection).toMatchObject({
        reason: expect.stringMatching(fault.kind === 'dead-servo' ? /stewart_2/ : /\.$/),
        action: expect.stringMatching(/\.$/),
        comingUp: false,
      });
      await expect(backend.setTorque(true, motorNames)).rejects.toThrow(/\.$/);
      await turns(3, defaultJoints); // harmless
      backend.simulator?.setFaults([]);
      await is('ready');
      await backend.setTorque(true, motorNames);
      expect(awayFrom(sleepJoints)).toBeLessThan(0.1);
    },
  );

  test('a push moves an antenna inwards, and it comes back', async () => {
    const { backend } = await up();
    for (const [side, index, inwards] of [
      ['right', 0, 1],
      ['left', 1, -1],
    ] as const) {
      backend.simulator?.touch(side);
      let furthest = 0;
      for (let turn = 0; turn < 60; turn++) {
        await turns(1);
        const angle = backend.measured.antennas[index] ?? 0;
        furthest = Math.max(furthest, (angle - (sleepJoints.antennas[index] ?? 0)) * inwards);
      }
      expect(furthest).toBeGreaterThan(0.25);
      expect(awayFrom(sleepJoints)).toBeLessThan(0.1);
    }
  });
}

const mix = (from: number, to: number, share: number) => from + (to - from) * share;
