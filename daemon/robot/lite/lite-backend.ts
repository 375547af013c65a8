import { setTimeout as sleep } from 'node:timers/promises';
import type { Motor, MotorName, RobotJoints } from '../../contract/robot/robot.ts';
import type { Logger } from '../../shared/logger.ts';
import { RobotUnavailable } from '../errors.ts';
import { joined, jointsFrom } from '../motors.ts';
import { sleepJoints } from '../posture.ts';
import type { Connection, RobotBackend, Simulator } from '../robot-backend.ts';
import { bringUp, NotUp } from './bring-up.ts';
import { ConnectedServos } from './connected-servos.ts';
import {
  looking,
  motorRefuses,
  motorsSilent,
  type NotReady,
  notLookedFor,
  notPluggedIn,
  portRefused,
  severalPorts,
  starting,
  unexpected,
} from './connection-text.ts';
import type { Hardware } from './hardware.ts';
import { LiteMotor } from './lite-motor.ts';
import { type LiteTimes, liteTimes } from './lite-times.ts';
import type { FindPorts } from './port-finder.ts';
import { PortError, type SerialLine } from './serial-line.ts';
import { BusClosed, ServoBus, ServoRefused, ServosSilent } from './servo-bus.ts';

export interface LiteBackendDeps {
  readonly kind: 'lite' | 'emulator';
  readonly hardware: Hardware;
  readonly platform: NodeJS.Platform;
  readonly findPorts: FindPorts;
  /** @throws PortError */
  readonly openLine: (path: string, signal: AbortSignal) => Promise<SerialLine>;
  readonly simulator: Simulator | null;
  readonly log: Logger;
  readonly times?: LiteTimes;
}

/** The robot with the metal, on a USB port: found, brought up, led, and found again whenever it was lost. */
export class LiteBackend implements RobotBackend {
  readonly kind: 'lite' | 'emulator';
  readonly simulator: Simulator | null;
  readonly #deps: LiteBackendDeps;
  readonly #times: LiteTimes;
  readonly #motors: readonly LiteMotor[];
  readonly #closing = new AbortController();
  #onConnection: (connection: Connection) => void = () => {};
  #connection: Connection = looking;
  /** What the motors report; it is asked for several times a turn. */
  #report: readonly Motor[] | null = null;
  #servos: ConnectedServos | null = null;
  #ended: Promise<void> = Promise.resolve();
  /** The port that is there, or was at the last look. */
  #port: { readonly path: string; readonly sinceMs: number } | null = null;
  #failures = 0;
  #nextTryMs = 0;

  constructor(deps: LiteBackendDeps) {
    this.kind = deps.kind;
    this.simulator = deps.simulator;
    this.#deps = deps;
    this.#times = deps.times ?? liteTimes;
    const angles = joined(sleepJoints);
    const { hardware } = deps;
    this.#motors = hardware.motors.map((motor, index) => new LiteMotor(motor, hardware, angles[index] ?? 0));
  }

  get connection(): Connection {
    return this.#connection;
  }

  get measured(): RobotJoints {
    return jointsFrom(this.#motors.map(({ positionRad }) => positionRad));
  }

  get motors(): readonly Motor[] {
    const nowMs = performance.now();
    this.#report ??= this.#motors.map((motor) => motor.report(nowMs));
    return this.#report;
  }

  open(onConnection: (connection: Connection) => void): void {
    this.#onConnection = onConnection;
    this.#ended = this.#supervise(this.#closing.signal);
  }

  async exchange(command: RobotJoints): Promise<void> {
    try {
      await this.#servos?.exchange(command);
    } catch (error) {
      if (!(error instanceof BusClosed)) throw error; // of a lost line the supervisor knows
    } finally {
      this.#report = null;
    }
  }

  async setTorque(on: boolean, names: readonly MotorName[]): Promise<void> {
    const { connection } = this;
    if (connection.state !== 'ready' || !this.#servos) throw new RobotUnavailable(reasonOf(connection));
    try {
      await this.#servos.setTorque(
        on,
        this.#motors.filter(({ name }) => names.includes(name)),
      );
    } catch (error) {
      throw new RobotUnavailable(this.#whyNoTorque(error, on));
    } finally {
      this.#report = null;
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#ended;
  }

  async #supervise(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#look(signal).catch((error: Error) => this.#tell(notLookedFor(error.message)));
      await sleep(this.#times.lookMs, undefined, { signal }).catch(() => {});
    }
  }

  /** Looks for a port, and stays with the robot on it as long as it is there. */
  async #look(signal: AbortSignal): Promise<void> {
    const ports = await this.#deps.findPorts();
    const [path] = ports;
    if (path === undefined || ports.length > 1) {
      this.#port = null;
      return this.#tell(path === undefined ? notPluggedIn : severalPorts(ports));
    }
    if (this.#port?.path !== path) {
      this.#port = { path, sinceMs: performance.now() };
      this.#failures = 0;
      this.#tell(starting);
    } else if (performance.now() < this.#nextTryMs) {
      return;
    }
    await this.#serve(path, signal);
  }

  async #serve(path: string, signal: AbortSignal): Promise<void> {
    let line: SerialLine | null = null;
    try {
      line = await this.#deps.openLine(path, signal);
      signal.throwIfAborted();
      const lost = await this.#stayWith(line, path, signal);
      this.#failures = 0;
      this.#lose(lost, signal);
    } catch (error) {
      if (signal.aborted) return;
      const words = this.#wordsOf(error, path);
      // That it was unplugged, or is just being plugged in, is nothing to wait long after.
      this.#failures = words === notPluggedIn || words === starting ? 0 : this.#failures + 1;
      this.#lose(words, signal);
    } finally {
      await line?.close();
    }
    const { lookMs, longestPauseMs } = this.#times;
    const pauseMs = this.#failures === 0 ? 0 : Math.min(longestPauseMs, lookMs * 2 ** (this.#failures - 1));
    this.#nextTryMs = performance.now() + pauseMs;
  }

  /** @returns why it was lost after it had been up */
  async #stayWith(line: SerialLine, path: string, signal: AbortSignal): Promise<NotReady> {
    const { hardware, log } = this.#deps;
    const [times, motors] = [this.#times, this.#motors];
    const bus = new ServoBus(line, { baudRate: hardware.baudRate, answerMs: times.answerMs });
    const close = () => void line.close();
    signal.addEventListener('abort', close);
    try {
      // An error stays told until it is mended, not only until it is tried again.
      const tell = (words: NotReady) => this.#connection.state !== 'error' && this.#tell(words);
      await bringUp({ bus, motors, hardware, times, log, tell, signal });
      log.info(`robot: its motors are up, on ${path}`);
      const servos = new ConnectedServos(bus, motors, times, log);
      this.#servos = servos;
      this.#tell({ state: 'ready' });
      return await Promise.race([servos.silenced, line.closed.then(() => notPluggedIn)]);
    } finally {
      signal.removeEventListener('abort', close);
    }
  }

  #lose(words: NotReady, signal: AbortSignal): void {
    this.#servos = null;
    for (const motor of this.#motors) motor.lost();
    this.#report = null;
    if (!signal.aborted) this.#tell(words);
  }

  #wordsOf(error: unknown, path: string): NotReady {
    if (error instanceof NotUp) return error.words;
    if (error instanceof BusClosed) return notPluggedIn;
    if (error instanceof ServosSilent) return motorsSilent(error.ids.map((id) => this.#nameOf(id)));
    if (error instanceof ServoRefused) return motorRefuses(this.#nameOf(error.id));
    if (error instanceof PortError) {
      const settling = performance.now() - (this.#port?.sinceMs ?? 0) < this.#times.settlingMs;
      if (error.refusal === 'permission' && settling) return starting; // the system gives it a moment after the port
      return portRefused(error.refusal, path, error.message, {
        usb: this.#deps.hardware.usb,
        platform: this.#deps.platform,
      });
    }
    this.#deps.log.error('robot: it cannot be brought up', error);
    return unexpected((error as Error).message);
  }

  #whyNoTorque(error: unknown, on: boolean): string {
    if (error instanceof ServoRefused) return `The motor ${this.#nameOf(error.id)} does not ${on ? 'hold' : 'let go'}.`;
    if (error instanceof ServosSilent || error instanceof BusClosed) return this.#wordsOf(error, '').reason;
    throw error;
  }

  #nameOf(id: number): MotorName {
    return this.#motors.find((motor) => motor.id === id)?.name as MotorName;
  }

  #tell(connection: Connection): void {
    if (JSON.stringify(connection) === JSON.stringify(this.#connection)) return;
    this.#connection = connection;
    this.#report = null;
    this.#onConnection(connection);
  }
}

const reasonOf = (connection: Connection): string =>
  connection.state === 'ready' ? notPluggedIn.reason : connection.reason;
