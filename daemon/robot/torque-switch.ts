import type { MotorName } from '../contract/robot/robot.ts';
import { motorNames } from './motors.ts';
import type { RobotBackend } from './robot-backend.ts';

/** Switches the torque of motors between two commands, and knows which motors will hold after all pending requests. */
export class TorqueSwitch {
  readonly #backend: RobotBackend;
  readonly #onSwitchedOn: (motors: readonly MotorName[]) => void;
  readonly #queue: ((refused: Error | null) => Promise<void>)[] = [];
  /** Pending requests by motor. */
  readonly #requested = new Map<MotorName, boolean>();
  #last: Promise<void> = Promise.resolve();
  #pending = 0;

  /** @param onSwitchedOn called before the next command, also after a failure: some of the motors may hold then */
  constructor(backend: RobotBackend, onSwitchedOn: (motors: readonly MotorName[]) => void) {
    this.#backend = backend;
    this.#onSwitchedOn = onSwitchedOn;
  }

  /** Whether every motor will hold. */
  get allHold(): boolean {
    return this.#willHold().every((holds) => holds);
  }

  /** Whether any motor will hold. */
  get someHold(): boolean {
    return this.#willHold().some((holds) => holds);
  }

  /** Whether a request waits for the next command. */
  get isPending(): boolean {
    return this.#pending > 0;
  }

  /** Settles once these motors and all earlier requests are switched. @throws RobotUnavailable */
  set(on: boolean, motors: readonly MotorName[]): Promise<void> {
    const willHold = this.#willHold();
    const changed = motors.filter((name) => willHold[motorNames.indexOf(name)] !== on);
    if (changed.length === 0) return this.#pending > 0 ? this.#last : Promise.resolve();
    for (const name of changed) this.#requested.set(name, on);
    this.#pending += 1;
    this.#last = new Promise<void>((resolve, reject) => {
      this.#queue.push((refused) => this.#switch(on, changed, refused).then(resolve, reject));
    });
    this.#last.catch(() => {}); // the caller handles it
    return this.#last;
  }

  /** Applies the pending requests. The control loop calls it before each command. */
  async apply(): Promise<void> {
    for (const change of this.#queue.splice(0)) await change(null);
  }

  async refuse(error: Error): Promise<void> {
    for (const change of this.#queue.splice(0)) await change(error);
  }

  async #switch(on: boolean, motors: readonly MotorName[], refused: Error | null): Promise<void> {
    try {
      if (refused) throw refused;
      await this.#backend.setTorque(on, motors);
    } finally {
      if (on) this.#onSwitchedOn(motors);
      this.#pending -= 1;
      if (this.#pending === 0) this.#requested.clear();
    }
  }

  /** In the order of the bus. */
  #willHold(): boolean[] {
    return this.#backend.motors.map(({ name, torque }) => this.#requested.get(name) ?? torque);
  }
}
