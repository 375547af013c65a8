import type { MotionOutcome } from '../contract/robot/robot.ts';
import type { Phase } from './robot-condition.ts';

/**
 * Which phase the robot is in, and which order put it there: one to wake, to fold, to stop. Each new order overtakes those
 * before it, which then change nothing any more.
 */
export class RobotPhases {
  readonly #onChange: (phase: Phase) => void;
  #current: Phase = 'asleep';
  #order = 0;

  constructor(onChange: (phase: Phase) => void) {
    this.#onChange = onChange;
  }

  get current(): Phase {
    return this.#current;
  }

  /** Whether an order to wake or to fold is being carried out. */
  get isUnderWay(): boolean {
    return this.#current === 'waking' || this.#current === 'going-to-sleep';
  }

  /** A new order begins with a phase. @returns whether another one has overtaken it since */
  begin(phase: Phase): () => boolean {
    this.#order += 1;
    const order = this.#order;
    this.set(phase);
    return () => order !== this.#order;
  }

  /** Carries out an order. However it ends, unless it was overtaken, the robot is no longer under way then but `afterwards`. */
  async carryOut(
    phase: Phase,
    work: (isOvertaken: () => boolean) => Promise<MotionOutcome>,
    afterwards: () => Phase,
  ): Promise<MotionOutcome> {
    const isOvertaken = this.begin(phase);
    try {
      return await work(isOvertaken);
    } finally {
      if (!isOvertaken() && this.isUnderWay) this.set(afterwards());
    }
  }

  set(phase: Phase): void {
    if (phase === this.#current) return;
    this.#current = phase;
    this.#onChange(phase);
  }
}
