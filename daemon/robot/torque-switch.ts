import type { MotorName } from '../contract/robot/robot.ts';
import { motorNames } from './motors.ts';
import type { RobotBackend } from './robot-backend.ts';

/** Switches motors, between two commands to them; and knows which will hold once all that was asked for is done. */
export class TorqueSwitch {
  readonly #backend: RobotBackend;
  readonly #onSwitchedOn: (motors: readonly MotorName[]) => void;
  readonly #errands: ((refused: Error | null) => Promise<void>)[] = [];
  /** What is asked for, of the motors for which that is not done yet. */
  readonly #asked = new Map<MotorName, boolean>();
  #last: Promise<void> = Promise.resolve();
  #pending = 0;

  /** @param onSwitchedOn called before the next command */
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

  /** Settles once those motors, and whatever was asked for before, are switched. @throws RobotUnavailable */
  turn(on: boolean, motors: readonly MotorName[]): Promise<void> {
    const willHold = this.#willHold();
    const those = motors.filter((name) => willHold[motorNames.indexOf(name)] !== on);
    if (those.length === 0) return this.#pending > 0 ? this.#last : Promise.resolve();
    for (const name of those) this.#asked.set(name, on);
    this.#pending += 1;
    this.#last = new Promise<void>((resolve, reject) => {
      this.#errands.push((refused) => this.#carryOut(on, those, refused).then(resolve, reject));
    });
    this.#last.catch(() => {}); // whoever asked hears of it
    return this.#last;
  }

  /** Does what was asked for. The loop calls it, before each command. */
  async carryOut(): Promise<void> {
    for (const errand of this.#errands.splice(0)) await errand(null);
  }

  /** Nothing is switched any more. */
  async refuse(error: Error): Promise<void> {
    for (const errand of this.#errands.splice(0)) await errand(error);
  }

  async #carryOut(on: boolean, motors: readonly MotorName[], refused: Error | null): Promise<void> {
    try {
      if (refused) throw refused;
      await this.#backend.setTorque(on, motors);
      if (on) this.#onSwitchedOn(motors);
    } finally {
      this.#pending -= 1;
      if (this.#pending === 0) this.#asked.clear();
    }
  }

  /** In the order of the bus. */
  #willHold(): boolean[] {
    return this.#backend.motors.map(({ name, torque }) => this.#asked.get(name) ?? torque);
  }
}
