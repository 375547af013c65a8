import type { MotionOutcome } from '../contract/robot/robot.ts';
import type { Phase } from './robot-condition.ts';

/**
 * The current phase of the robot, and the command (wake, fold or stop) that set it. Each new command replaces the
 * earlier ones, which then no longer change the phase.
 */
export class RobotPhases {
  readonly #onChange: (phase: Phase) => void;
  #current: Phase = 'asleep';
  #command = 0;

  constructor(onChange: (phase: Phase) => void) {
    this.#onChange = onChange;
  }

  get current(): Phase {
    return this.#current;
  }

  /** Whether the robot is waking up or going to sleep. */
  get isUnderWay(): boolean {
    return this.#current === 'waking' || this.#current === 'going-to-sleep';
  }

  /** Begins a command with a phase. @returns a function that tells whether another command has replaced it since */
  begin(phase: Phase): () => boolean {
    this.#command += 1;
    const command = this.#command;
    this.set(phase);
    return () => command !== this.#command;
  }

  /** Runs a command. If it ends early and was not replaced, sets the phase `afterwards`. */
  async run(
    phase: Phase,
    work: (isReplaced: () => boolean) => Promise<MotionOutcome>,
    afterwards: () => Phase,
  ): Promise<MotionOutcome> {
    const isReplaced = this.begin(phase);
    try {
      return await work(isReplaced);
    } finally {
      if (!isReplaced() && this.isUnderWay) this.set(afterwards());
    }
  }

  set(phase: Phase): void {
    if (phase === this.#current) return;
    this.#current = phase;
    this.#onChange(phase);
  }
}
