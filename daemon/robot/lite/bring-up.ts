import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../shared/logger.ts';
import { lowVoltage, type NotReady, starting, supplyComingUp } from './connection-text.ts';
import type { Hardware } from './hardware.ts';
import { type LiteMotor, STATUS } from './lite-motor.ts';
import type { LiteTimes } from './lite-times.ts';
import { readNumber, registers } from './registers.ts';
import { type ServoBus, span } from './servo-bus.ts';
import { configure, ids, setGains } from './servo-configuration.ts';

/** The robot does not come up, for a reason that has words. */
export class NotUp extends Error {
  readonly words: NotReady;

  constructor(words: NotReady) {
    super(words.reason);
    this.words = words;
  }
}

export interface BringUp {
  readonly bus: ServoBus;
  /** They learn how their servos are. */
  readonly motors: readonly LiteMotor[];
  readonly hardware: Hardware;
  readonly times: LiteTimes;
  readonly log: Logger;
  /** What it is at. */
  readonly tell: (words: NotReady) => void;
  readonly signal: AbortSignal;
}

/**
 * From an open line to nine motors that can be led: all are there, have power, are without fault and configured. A motor
 * that holds keeps holding: the daemon may have been killed while the robot was awake, and its head is not to drop.
 * @throws NotUp, ServosSilent, ServoRefused, BusClosed
 */
export async function bringUp(parts: BringUp): Promise<void> {
  const { bus, motors, hardware, log, tell } = parts;
  await bus.readAll(ids(motors), span(registers.id));
  tell(starting);
  await waitForSupply(parts);
  await endFaults(parts);
  await configure(bus, motors, hardware, log);
  await setGains(bus, motors);
  await learnStatus(bus, motors);
}

/** Asks the motors all that they tell of how they are. @throws ServosSilent, BusClosed */
export async function learnStatus(bus: ServoBus, motors: readonly LiteMotor[]): Promise<void> {
  const all = await bus.readAll(ids(motors), STATUS);
  for (const motor of motors) {
    const bytes = all.get(motor.id);
    if (bytes) motor.takeStatus(bytes);
  }
}

async function waitForSupply({ bus, motors, hardware, times, tell, signal }: BringUp): Promise<void> {
  const what = registers.presentInputVoltage;
  const untilMs = performance.now() + times.supplyMs;
  for (let told = false; ; told = true) {
    const all = await bus.readAll(ids(motors), span(what));
    const lowestV = Math.min(...[...all.values()].map((bytes) => readNumber(bytes, what) / 10));
    if (lowestV >= hardware.minStartVoltageV) return;
    if (performance.now() >= untilMs) throw new NotUp(lowVoltage(lowestV, hardware.minStartVoltageV));
    if (!told) tell(supplyComingUp(lowestV));
    await sleep(times.supplyPollMs, undefined, { signal });
  }
}

async function endFaults({ bus, motors, times, log }: BringUp): Promise<void> {
  await learnStatus(bus, motors);
  await rebootThoseThatLetGo(bus, motors, times.rebootMs, log);
}

/** @throws ServosSilent when one does not come back, BusClosed */
export async function rebootThoseThatLetGo(
  bus: ServoBus,
  motors: readonly LiteMotor[],
  limitMs: number,
  log: Logger,
): Promise<void> {
  const faulty = motors.filter(({ letGo }) => letGo);
  for (const { name } of faulty) log.info(`robot: ${name} is in fault, and is rebooted`);
  await Promise.all(faulty.map(({ id }) => bus.reboot(id, limitMs)));
}
