import type { AntennaSide, MotorFault } from '../../contract/robot/robot.ts';
import { jointRanges, MAX_JOINT_SPEED_RAD_S } from '../kinematics/limits.ts';
import { sleepJoints } from '../motions/posture.ts';
import { joined, motorNames } from '../motors.ts';

/** Time constant with which a joint with torque follows its goal: 63 % of a short way. */
const LAG_S = 0.03;
/** From rest to the maximum speed in 40 ms. */
const MAX_ACCELERATION_RAD_S2 = 200;
/** A limp joint falls like a strongly damped pendulum: to its rest in about a second, with hardly any overshoot. */
const FALL_RATE_S2 = 60;
const FALL_DAMPING_S = 15;
/** A hand is stronger than gravity and weaker than a motor. */
const HAND_RATE_S2 = 900;
const HAND_DAMPING_S = 60;
const HAND_AGAINST_MOTOR = 0.2;
const STEP_S = 0.002;

const ROOM_C = 25;
/** Final temperature of a motor at full load. */
const HOTTEST_C = 75;
const WARMING_S = 120;
/** Distance from the goal at which a motor is at full load. */
const FULL_LOAD_RAD = 0.3;
const SUPPLY_V = 5;
const SUPPLY_DROP_V = 0.3;

interface SimulatedServoOptions {
  readonly startRad: number;
  /** Position to which gravity moves it without torque; null: it stays where it is. */
  readonly restRad: number | null;
  readonly minRad: number;
  readonly maxRad: number;
}

interface Hand {
  readonly offsetRad: number;
  remainingS: number;
}

/** One motor with its load. The caller steps the time, so that a run can be repeated. */
export class SimulatedServo {
  readonly #options: SimulatedServoOptions;
  #positionRad: number;
  #velocityRadS = 0;
  #torque = false;
  #temperatureC = ROOM_C;
  #hand: Hand | null = null;
  #faults: readonly MotorFault[] = [];
  /** The goal position; without torque it does not follow. */
  goalRad: number;

  constructor(options: SimulatedServoOptions) {
    this.#options = options;
    this.#positionRad = options.startRad;
    this.goalRad = options.startRad;
  }

  get positionRad(): number {
    return this.#positionRad;
  }

  get velocityRadS(): number {
    return this.#velocityRadS;
  }

  get torque(): boolean {
    return this.#torque;
  }

  get temperatureC(): number {
    return this.#temperatureC;
  }

  get voltageV(): number {
    return SUPPLY_V - SUPPLY_DROP_V * this.#load;
  }

  get faults(): readonly MotorFault[] {
    return this.#faults;
  }

  /** A motor in fault stays limp until it is rebooted. */
  setTorque(on: boolean): void {
    this.#torque = on && this.#faults.length === 0;
  }

  /** Shuts down with a fault, which it reports until it is rebooted. */
  fail(fault: MotorFault): void {
    if (!this.#faults.includes(fault)) this.#faults = [...this.#faults, fault];
    this.#torque = false;
  }

  reboot(): void {
    this.#faults = [];
    this.#torque = false;
  }

  /** Simulates a hand that displaces it by an angle, for a time. */
  push(offsetRad: number, durationS: number): void {
    this.#hand = { offsetRad, remainingS: durationS };
  }

  step(elapsedS: number): void {
    const steps = Math.max(1, Math.ceil(elapsedS / STEP_S));
    for (let step = 0; step < steps; step++) this.#smallStep(elapsedS / steps);
    const hottest = ROOM_C + (HOTTEST_C - ROOM_C) * this.#load ** 2;
    this.#temperatureC += (hottest - this.#temperatureC) * (1 - Math.exp(-elapsedS / WARMING_S));
  }

  /** The load, 0 to 1. */
  get #load(): number {
    return this.#torque ? Math.min(1, Math.abs(this.goalRad - this.#positionRad) / FULL_LOAD_RAD) : 0;
  }

  #smallStep(elapsedS: number): void {
    const offset = this.#handOffset(elapsedS);
    if (this.#torque) this.#follow(this.goalRad + offset * HAND_AGAINST_MOTOR, elapsedS);
    else this.#fall(offset, elapsedS);
    const { minRad, maxRad } = this.#options;
    const moved = this.#positionRad + this.#velocityRadS * elapsedS;
    this.#positionRad = Math.min(maxRad, Math.max(minRad, moved));
    if (this.#positionRad !== moved) this.#velocityRadS = 0;
  }

  #follow(goalRad: number, elapsedS: number): void {
    const away = goalRad - this.#positionRad;
    // Slow enough to brake in time.
    const braking = Math.sqrt(2 * MAX_ACCELERATION_RAD_S2 * Math.abs(away));
    const wanted = Math.sign(away) * Math.min(Math.abs(away) / LAG_S, braking, MAX_JOINT_SPEED_RAD_S);
    const most = MAX_ACCELERATION_RAD_S2 * elapsedS;
    this.#velocityRadS += Math.min(most, Math.max(-most, wanted - this.#velocityRadS));
  }

  #fall(handOffsetRad: number, elapsedS: number): void {
    const held = this.#hand !== null;
    const { restRad } = this.#options;
    const away = restRad === null && !held ? 0 : (restRad ?? this.goalRad) + handOffsetRad - this.#positionRad;
    const [rate, damping] = held ? [HAND_RATE_S2, HAND_DAMPING_S] : [FALL_RATE_S2, FALL_DAMPING_S];
    this.#velocityRadS += (away * rate - this.#velocityRadS * damping) * elapsedS;
  }

  #handOffset(elapsedS: number): number {
    if (!this.#hand) return 0;
    this.#hand.remainingS -= elapsedS;
    const { offsetRad, remainingS } = this.#hand;
    if (remainingS <= 0) this.#hand = null;
    return offsetRad;
  }
}

const TOUCH_RAD = 0.5;
const TOUCH_S = 0.3;

/** Nine servos in the order of the bus: folded, limp and cold. Gravity moves legs and antennas back, not the body. */
export function sleepingServos(): SimulatedServo[] {
  return joined(sleepJoints).map((angleRad, index) => {
    const { minRad, maxRad } = jointRanges[index] as (typeof jointRanges)[number];
    return new SimulatedServo({ startRad: angleRad, restRad: index === 0 ? null : angleRad, minRad, maxRad });
  });
}

/** Pushes an antenna inwards: asleep, the antennas hang outwards near the end of their range. */
export function pushAntenna(servos: readonly SimulatedServo[], antenna: AntennaSide): void {
  servos[motorNames.indexOf(`${antenna}_antenna`)]?.push(antenna === 'right' ? TOUCH_RAD : -TOUCH_RAD, TOUCH_S);
}
