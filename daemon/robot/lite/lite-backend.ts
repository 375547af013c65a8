import type { Motor, MotorName, RobotJoints } from '../../contract/robot/robot.ts';
import { type Clock, sleepOn } from '../../shared/clock.ts';
import type { Logger } from '../../shared/logger.ts';
import { RobotUnavailable } from '../errors.ts';
import { sleepJoints } from '../motions/posture.ts';
import { joined, jointsFrom } from '../motors.ts';
import type { Connection, RobotBackend, Simulator } from '../robot-backend.ts';
import { BringUpFailed, bringUp } from './bring-up.ts';
import { ConnectedServos } from './connected-servos.ts';
import {
  configurationRejected,
  motorsSilent,
  type NotReady,
  notPluggedIn,
  portRefused,
  searchFailed,
  searching,
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
  readonly clock: Clock;
  readonly log: Logger;
  readonly times?: LiteTimes;
}

/** The real robot on a USB port: finds it, brings it up, drives it, and finds it again whenever it is lost. */
export class LiteBackend implements RobotBackend {
  readonly kind: 'lite' | 'emulator';
  readonly simulator: Simulator | null;
  readonly #deps: LiteBackendDeps;
  readonly #times: LiteTimes;
  readonly #motors: readonly LiteMotor[];
  readonly #closing = new AbortController();
  #onConnection: (connection: Connection) => void = () => {};
  #connection: Connection = searching;
  /** The cached report of the motors, which is read several times a tick. */
  #report: readonly Motor[] | null = null;
  #servos: ConnectedServos | null = null;
  #ended: Promise<void> = Promise.resolve();
  /** The port at the last poll. */
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
    const nowMs = this.#deps.clock.elapsedMs();
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
      if (!(error instanceof BusClosed)) throw error; // #supervise handles a lost line
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
      throw new RobotUnavailable(this.#torqueFailure(error, on));
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
      await this.#poll(signal).catch((error: Error) => this.#setConnection(searchFailed(error.message)));
      await sleepOn(this.#deps.clock, this.#times.pollMs, signal).catch(() => {});
    }
  }

  /** Looks for a port, and runs the robot on it until it is lost. */
  async #poll(signal: AbortSignal): Promise<void> {
    const ports = await this.#deps.findPorts();
    const [path] = ports;
    if (path === undefined || ports.length > 1) {
      this.#port = null;
      return this.#setConnection(path === undefined ? notPluggedIn : severalPorts(ports));
    }
    if (this.#port?.path !== path) {
      this.#port = { path, sinceMs: this.#deps.clock.elapsedMs() };
      this.#failures = 0;
      this.#setConnection(starting);
    } else if (this.#deps.clock.elapsedMs() < this.#nextTryMs) {
      return;
    }
    await this.#serve(path, signal);
  }

  async #serve(path: string, signal: AbortSignal): Promise<void> {
    let line: SerialLine | null = null;
    try {
      line = await this.#deps.openLine(path, signal);
      signal.throwIfAborted();
      const lost = await this.#runOn(line, path, signal);
      this.#failures = 0;
      this.#lose(lost, signal);
    } catch (error) {
      if (signal.aborted) return;
      const connection = this.#notReadyOf(error, path);
      // No pause after the robot was unplugged or while it is being plugged in.
      this.#failures = connection === notPluggedIn || connection === starting ? 0 : this.#failures + 1;
      this.#lose(connection, signal);
    } finally {
      await line?.close();
    }
    const { pollMs, longestPauseMs } = this.#times;
    const pauseMs = this.#failures === 0 ? 0 : Math.min(longestPauseMs, pollMs * 2 ** (this.#failures - 1));
    this.#nextTryMs = this.#deps.clock.elapsedMs() + pauseMs;
  }

  /** @returns why the robot was lost after it had been brought up */
  async #runOn(line: SerialLine, path: string, signal: AbortSignal): Promise<NotReady> {
    const { hardware, clock, log } = this.#deps;
    const [times, motors] = [this.#times, this.#motors];
    const bus = new ServoBus(line, { baudRate: hardware.baudRate, answerMs: times.answerMs, clock });
    const close = () => void line.close();
    signal.addEventListener('abort', close);
    try {
      // An error stays shown until it is resolved, not only until the next try.
      const onProgress = (connection: NotReady) =>
        this.#connection.state !== 'error' && this.#setConnection(connection);
      await bringUp({ bus, motors, hardware, times, clock, log, onProgress, signal });
      log.info(`robot: its motors are ready on ${path}`);
      const servos = new ConnectedServos({ bus, motors, times, clock, log });
      this.#servos = servos;
      this.#setConnection({ state: 'ready' });
      return await Promise.race([servos.silenced, line.closed.then(() => notPluggedIn)]);
    } finally {
      signal.removeEventListener('abort', close);
    }
  }

  #lose(connection: NotReady, signal: AbortSignal): void {
    this.#servos = null;
    for (const motor of this.#motors) motor.lost();
    this.#report = null;
    if (!signal.aborted) this.#setConnection(connection);
  }

  #notReadyOf(error: unknown, path: string): NotReady {
    if (error instanceof BringUpFailed) return error.connection;
    if (error instanceof BusClosed) return notPluggedIn;
    if (error instanceof ServosSilent) return motorsSilent(error.ids.map((id) => this.#nameOf(id)));
    if (error instanceof ServoRefused) return configurationRejected(this.#nameOf(error.id));
    if (error instanceof PortError) {
      const settling = this.#deps.clock.elapsedMs() - (this.#port?.sinceMs ?? 0) < this.#times.settlingMs;
      if (error.refusal === 'permission' && settling) return starting; // the system sets it a moment after the port appears
      return portRefused(error.refusal, path, error.message, {
        usb: this.#deps.hardware.usb,
        platform: this.#deps.platform,
      });
    }
    this.#deps.log.error('robot: it could not be brought up', error);
    return unexpected((error as Error).message);
  }

  #torqueFailure(error: unknown, on: boolean): string {
    if (error instanceof ServoRefused)
      return `The motor ${this.#nameOf(error.id)} does not switch ${on ? 'on' : 'off'}.`;
    if (error instanceof ServosSilent || error instanceof BusClosed) return this.#notReadyOf(error, '').reason;
    throw error;
  }

  #nameOf(id: number): MotorName {
    return this.#motors.find((motor) => motor.id === id)?.name as MotorName;
  }

  #setConnection(connection: Connection): void {
    if (JSON.stringify(connection) === JSON.stringify(this.#connection)) return;
    this.#connection = connection;
    this.#report = null;
    this.#onConnection(connection);
  }
}

const reasonOf = (connection: Connection): string =>
  connection.state === 'ready' ? notPluggedIn.reason : connection.reason;
