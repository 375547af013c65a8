import type { MotionOutcome } from '../contract/robot/robot.ts';
import type { JointDrive } from './joint-drive.ts';
import { defaultPosture, sleepPosture } from './kinematics/geometry.ts';
import { motorNames } from './motors.ts';
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

  /** Begins a command with a phase. @returns a function that returns whether another command has replaced it since */
  begin(phase: Phase): () => boolean {
    this.#command += 1;
    const command = this.#command;
    this.set(phase);
    return () => command !== this.#command;
  }

  set(phase: Phase): void {
    if (phase === this.#current) return;
    this.#current = phase;
    this.#onChange(phase);
  }
}

/** Time limits of the way between the default and the sleep position. */
const WAY = { minS: 0.3, maxS: 1.5 };

interface WakeAndFoldDeps {
  readonly drive: JointDrive;
  readonly phases: RobotPhases;
  /** Moves all parts to a posture. */
  readonly moveTo: (...way: Parameters<JointDrive['beginCalm']>) => Promise<MotionOutcome>;
  /** Called when it has woken up, once until it sleeps again. */
  readonly onWoken: () => void;
}

/** Wakes the robot up and folds it: torque on, then the default position; the sleep position, then torque off. */
export class WakeAndFold {
  readonly #deps: WakeAndFoldDeps;
  #waking: Promise<MotionOutcome> | null = null;
  /** Whether `onWoken` was called since the robot slept. */
  #hasWoken = false;

  constructor(deps: WakeAndFoldDeps) {
    this.#deps = deps;
  }

  /** Whether it is already folded and limp. */
  get isFolded(): boolean {
    return this.#deps.phases.current === 'asleep' && !this.#deps.drive.torque.someHold;
  }

  slept(): void {
    this.#hasWoken = false;
  }

  /** Wakes it up. A second call joins the first. @param isUp whether it is awake with torque already */
  wake(isUp: boolean): Promise<MotionOutcome> {
    if (this.#deps.phases.current !== 'waking' || !this.#waking) this.#waking = this.#wake(isUp);
    return this.#waking;
  }

  async fold(): Promise<MotionOutcome> {
    if (this.isFolded) return 'done';
    const { drive, phases, moveTo } = this.#deps;
    return this.#run('going-to-sleep', async (isReplaced) => {
      await drive.torque.set(true, motorNames); // so that it folds instead of dropping
      if (isReplaced()) return 'replaced';
      const outcome = await moveTo('going to sleep', sleepPosture, WAY);
      if (outcome !== 'done' || isReplaced()) return outcome;
      await drive.torque.set(false, motorNames);
      if (isReplaced()) return 'replaced';
      phases.set('asleep');
      return 'done';
    });
  }

  async #wake(isUp: boolean): Promise<MotionOutcome> {
    const { drive, phases, moveTo, onWoken } = this.#deps;
    return this.#run(isUp ? 'awake' : 'waking', async (isReplaced) => {
      await drive.torque.set(true, motorNames);
      if (isReplaced()) return 'replaced';
      const outcome = await moveTo('waking up', defaultPosture, WAY);
      if (outcome !== 'done' || isReplaced()) return outcome;
      phases.set('awake');
      if (!this.#hasWoken) onWoken();
      this.#hasWoken = true;
      return 'done';
    });
  }

  /** Runs a command. If it ends early and was not replaced, the phase is what the motors say. */
  async #run(phase: Phase, work: (isReplaced: () => boolean) => Promise<MotionOutcome>): Promise<MotionOutcome> {
    const { drive, phases } = this.#deps;
    const isReplaced = phases.begin(phase);
    try {
      return await work(isReplaced);
    } finally {
      if (!isReplaced() && phases.isUnderWay) phases.set(drive.torque.someHold ? 'awake' : 'asleep');
    }
  }
}
