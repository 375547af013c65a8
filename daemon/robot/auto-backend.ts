import { setTimeout as sleep } from 'node:timers/promises';
import type { BackendKind, Motor, MotorName, RobotJoints } from '../contract/robot/robot.ts';
import type { Logger } from '../shared/logger.ts';
import type { Connection, RobotBackend, Simulator } from './robot-backend.ts';

export interface AutoBackendDeps {
  readonly simulation: RobotBackend;
  /** Made once it is needed. */
  readonly createLite: () => RobotBackend;
  readonly isPluggedIn: () => Promise<boolean>;
  /** Whether nobody would be disturbed when the simulated robot gives way. */
  readonly maySwitch: () => boolean;
  /** How often it is looked whether the real robot was plugged in. */
  readonly lookEveryMs: number;
  readonly log: Logger;
}

/**
 * The simulated robot until the real one is plugged in, and from then on the real one: unplugged again it is disconnected,
 * not simulated, since that is what its owner sees in front of him.
 */
export class AutoBackend implements RobotBackend {
  readonly #deps: AutoBackendDeps;
  readonly #closing = new AbortController();
  #current: RobotBackend;
  #looking: Promise<void> = Promise.resolve();

  constructor(deps: AutoBackendDeps) {
    this.#deps = deps;
    this.#current = deps.simulation;
  }

  get kind(): BackendKind {
    return this.#current.kind;
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
    this.#looking = this.#look(onConnection);
  }

  exchange(command: RobotJoints, elapsedS: number): Promise<void> {
    return this.#current.exchange(command, elapsedS);
  }

  setTorque(on: boolean, motors: readonly MotorName[]): Promise<void> {
    return this.#current.setTorque(on, motors);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#looking;
    await this.#current.close();
  }

  async #look(onConnection: (connection: Connection) => void): Promise<void> {
    const { signal } = this.#closing;
    let isFirstLook = true;
    while (!signal.aborted) {
      if (await this.#shouldSwitch(isFirstLook)) {
        if (signal.aborted) return;
        await this.#current.close();
        this.#current = this.#deps.createLite();
        this.#current.open(onConnection);
        return;
      }
      if (isFirstLook) this.#current.open(onConnection);
      isFirstLook = false;
      await sleep(this.#deps.lookEveryMs, undefined, { signal }).catch(() => {});
    }
  }

  async #shouldSwitch(isFirstLook: boolean): Promise<boolean> {
    const { isPluggedIn, maySwitch, log } = this.#deps;
    try {
      return (await isPluggedIn()) && (isFirstLook || maySwitch());
    } catch (error) {
      log.error('robot: it cannot be looked for', error);
      return false;
    }
  }
}
