/** No joint jumps, for random commands and faults in any sequence. */
import { expect, test } from 'vitest';
import type { Motor, MotorName, RobotJoints } from '../contract/robot/robot.ts';
import { createLogger } from '../shared/logger.ts';
import { ManualLoop } from '../testing/manual-loop.ts';
import { RobotUnavailable } from './errors.ts';
import { poseFrom } from './kinematics/pose.ts';
import { MoveSamples } from './motions/move-samples.ts';
import { type PostureChange, sleepJoints } from './motions/posture.ts';
import type { RecordedMove } from './motions/recorded-move.ts';
import { joined, jointsFrom, motorNames } from './motors.ts';
import { Robot } from './robot.ts';
import type { Connection, RobotBackend } from './robot-backend.ts';
import { randomNumbers } from './simulation/random-numbers.ts';

const SEEDS = Number(process.env['TORTURE_ROBOTS'] ?? 12);
const ORDERS = 60;
const MAX_RAD_S = 8;
const TURN_S = 0.02;
/** The fastest motion of each robot, in rad/s. */
const fastestRadS: number[] = [];

test.each(Array.from({ length: SEEDS }, (_, index) => index + 1))('random commands, seed %i', async (seed) => {
  const random = randomNumbers(seed * 7919);
  for (let i = 0; i < 10; i++) random(); // neighbouring seeds begin alike
  const servos = new StiffServos();
  const loop = new ManualLoop();
  const robot = new Robot({ backend: servos, loop, publish: () => {}, log: createLogger('error', () => {}) });
  robot.start({ wakeUp: random() < 0.5 });
  for (let order = 0; order < ORDERS; order++) {
    giveOrder(robot, servos, random);
    await loop.pass(Math.round(random() * 40) * TURN_S);
    await new Promise(setImmediate);
  }
  await robot.close();
  fastestRadS.push(servos.fastestRadS);
  expect(servos.fastestRadS).toBeLessThanOrEqual(MAX_RAD_S * (1 + 1e-9));
});

// Where all commands come while the robot sleeps or is disconnected, nothing moves.
test('nearly all of these robots have moved', () => {
  expect(fastestRadS.filter((radS) => radS > 1).length).toBeGreaterThan(0.9 * SEEDS);
});

/** Servos that reach their goal at once, so that every jump of a command is a jump of a joint. Limp ones sink. */
class StiffServos implements RobotBackend {
  readonly kind = 'simulation';
  readonly simulator = null;
  fastestRadS = 0;
  /** Whether switching torque fails, although the motors are switched. */
  losesAnswer = false;
  connection: Connection = { state: 'ready' };
  #angles = joined(sleepJoints);
  #torque = motorNames.map(() => false);
  #faults = motorNames.map((): Motor['faults'] => []);
  #onConnection: (connection: Connection) => void = () => {};

  get measured(): RobotJoints {
    return jointsFrom(this.#angles);
  }

  get motors(): Motor[] {
    return motorNames.map((name, index) => ({
      name,
      id: index,
      answers: true,
      torque: this.#torque[index] ?? false,
      mode: 'position',
      positionRad: this.#angles[index] ?? 0,
      voltageV: null,
      temperatureC: null,
      faults: this.#faults[index] ?? [],
    }));
  }

  open(onConnection: (connection: Connection) => void): void {
    this.#onConnection = onConnection;
    onConnection(this.connection);
  }

  async exchange(command: RobotJoints, elapsedS: number): Promise<void> {
    if (this.connection.state !== 'ready') return;
    const goals = joined(command);
    this.#angles = this.#angles.map((angle, index) => {
      if (!this.#torque[index]) return angle + ((joined(sleepJoints)[index] ?? 0) - angle) * 0.02;
      const next = goals[index] ?? angle;
      this.fastestRadS = Math.max(this.fastestRadS, Math.abs(next - angle) / elapsedS);
      return next;
    });
  }

  async setTorque(on: boolean, motors: readonly MotorName[]): Promise<void> {
    if (this.connection.state !== 'ready') throw new RobotUnavailable('lost');
    for (const name of motors) {
      const index = motorNames.indexOf(name);
      this.#torque[index] = on;
      if (on) this.#faults[index] = [];
    }
    if (this.losesAnswer) throw new RobotUnavailable('an answer is missing');
  }

  async close(): Promise<void> {}

  /** Loses and restores the connection, with or without the power. */
  lose(andPower: boolean): void {
    this.connection = { state: 'disconnected', comingUp: false, reason: 'lost', action: null, command: null };
    if (andPower) this.#torque = motorNames.map(() => false);
    this.#onConnection(this.connection);
  }

  /** The robot may have been moved by hand meanwhile. */
  find(movedRad: number): void {
    if (this.connection.state === 'ready') return;
    this.#angles = this.#angles.map((angle) => angle + movedRad);
    this.connection = { state: 'ready' };
    this.#onConnection(this.connection);
  }

  fail(name: MotorName): void {
    const index = motorNames.indexOf(name);
    this.#faults[index] = ['overload'];
    this.#torque[index] = false;
  }
}

/** A move of the parts of a change, with jumps. */
function randomMove(change: () => PostureChange, random: () => number): RecordedMove {
  const { head, antennas, bodyYaw } = change();
  const timesS = Array.from({ length: 1 + Math.floor(random() * 20) }, (_, index) => index * 0.05);
  const samples = new MoveSamples();
  samples.append({
    timesS,
    heads: head ? timesS.map(() => change().head ?? head) : null,
    antennas: antennas ? timesS.map(() => [...(change().antennas ?? antennas)]) : null,
    bodyYaws: typeof bodyYaw === 'number' ? timesS.map(() => change().bodyYaw ?? bodyYaw) : null,
  });
  return samples.finished();
}

/** One command of each kind; some are refused. */
function giveOrder(robot: Robot, servos: StiffServos, random: () => number): void {
  const within = (most: number) => (random() * 2 - 1) * most;
  const pick = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)] as T;
  const change = () => ({
    ...(random() < 0.6 && {
      head: poseFrom({ rollRad: within(0.7), pitchRad: within(0.7), yawRad: within(Math.PI) }, [
        within(0.03),
        within(0.03),
        within(0.03),
      ]),
    }),
    ...(random() < 0.6 && { antennas: [within(4), within(4)] }),
    ...(random() < 0.6 && { bodyYaw: within(3.5) }),
  });
  const motors = random() < 0.3 ? undefined : motorNames.filter(() => random() < 0.5);
  const orders: readonly (() => unknown)[] = [
    () => robot.wakeUp(),
    () => robot.wakeUp(),
    () => robot.sleep(),
    () => robot.returnToDefault(),
    () => robot.stop(),
    () => robot.setTarget(change()),
    () => robot.setTarget(change()),
    () => robot.setTarget(change()),
    () => robot.goto(change(), { durationS: 3, method: 'cartoon', ifBusy: 'replace' }).ended,
    () =>
      robot.goto(change(), {
        durationS: 0.02 + random() * 1.5,
        method: pick(['linear', 'minjerk', 'ease_in_out', 'cartoon'] as const),
        ifBusy: pick(['replace', 'refuse'] as const),
        bodyYawIsDefault: random() < 0.5,
      }).ended,
    () => robot.play(randomMove(change, random), { initialGotoS: pick([0, 0.5]), ifBusy: 'replace', name: null }).ended,
    () => robot.play(randomMove(change, random), { initialGotoS: 0, ifBusy: 'refuse', name: null }).ended,
    () => robot.yieldGotos(),
    () => robot.setTorque(random() < 0.7, motors),
    () => servos.fail(pick(motorNames)),
    () => {
      servos.losesAnswer = !servos.losesAnswer;
    },
    () => servos.lose(random() < 0.5),
    () => servos.find(within(0.5)),
    () => servos.find(within(0.5)),
  ];
  try {
    Promise.resolve(pick(orders)()).catch(() => {});
  } catch {
    // refused
  }
}
