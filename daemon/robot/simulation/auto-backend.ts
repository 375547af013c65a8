import type { BackendKind, Motor, MotorName, RobotJoints } from '../../contract/robot/robot.ts';
import { type Clock, sleepOn } from '../../shared/clock.ts';
import type { Logger } from '../../shared/logger.ts';
import type { Connection, RobotBackend, Simulator, StandIn } from '../robot-backend.ts';

interface AutoBackendDeps {
  readonly simulation: RobotBackend;
  /** Called when the real robot is plugged in. */
  readonly createLite: () => RobotBackend;
  readonly isPluggedIn: () => Promise<boolean>;
  /** Whether the simulated robot can be replaced without disturbing a program. */
  readonly maySwitch: () => boolean;
  /** The action and the terminal command with which a user has a real robot. */
  readonly help: Omit<StandIn, 'why'>;
  /** Interval at which the USB ports are polled. */
  readonly pollEveryMs: number;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * The simulated robot until the real one is plugged in, and from then on the real one. Unplugged again, the robot is
 * disconnected rather than simulated, since its owner sees the real one.
 */
export class AutoBackend implements RobotBackend {
  readonly #deps: AutoBackendDeps;
  readonly #closing = new AbortController();
  #current: RobotBackend;
  #standIn: StandIn | null;
  #polling: Promise<void> = Promise.resolve();

  constructor(deps: AutoBackendDeps) {
    this.#deps = deps;
    this.#current = deps.simulation;
    this.#standIn = { why: 'no-robot', ...deps.help };
  }

  get kind(): BackendKind {
    return this.#current.kind;
  }

  /** Why the robot is simulated; null once the real one was plugged in. */
  get standIn(): StandIn | null {
    return this.#standIn;
  }

  get connection(): Connection {
    return this.#current.connection;
  }

  get measured(): RobotJoints {
    return this.#current.measured;
  }

  get motors(): readonly Motor[] {
    return this.#current.motors;
  }

  get simulator(): Simulator | null {
    return this.#current.simulator;
  }

  open(onConnection: (connection: Connection) => void): void {
    this.#polling = this.#poll(onConnection);
  }

  exchange(command: RobotJoints, elapsedS: number): Promise<void> {
    return this.#current.exchange(command, elapsedS);
  }

  setTorque(on: boolean, motors: readonly MotorName[]): Promise<void> {
    return this.#current.setTorque(on, motors);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#polling;
    await this.#current.close();
  }

  async #poll(onConnection: (connection: Connection) => void): Promise<void> {
    const { signal } = this.#closing;
    const { clock, createLite, pollEveryMs } = this.#deps;
    let isFirst = true;
    while (!signal.aborted) {
      if (await this.#shouldSwitch(isFirst)) {
        if (signal.aborted) return;
        await this.#current.close();
        this.#current = createLite();
        this.#standIn = null;
        this.#current.open(onConnection);
        return;
      }
      if (isFirst) this.#current.open(onConnection);
      isFirst = false;
      await sleepOn(clock, pollEveryMs, signal).catch(() => {});
    }
  }

  async #shouldSwitch(isFirst: boolean): Promise<boolean> {
    const { isPluggedIn, maySwitch, help, log } = this.#deps;
    try {
      const found = await isPluggedIn();
      this.#standIn = found ? { why: 'robot-waiting', action: null, command: null } : { why: 'no-robot', ...help };
      return found && (isFirst || maySwitch());
    } catch (error) {
      log.error('robot: the search for it failed', error);
      return false;
    }
  }
}
