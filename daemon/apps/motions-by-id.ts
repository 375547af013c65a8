import { randomUUID } from 'node:crypto';
import { setImmediate as afterPending } from 'node:timers/promises';
import { DomainError } from '../shared/domain-error.ts';
import type { RobotCommands, StartedCommand } from './robot-commands.ts';

/** No motion with this id is under way. */
export class MotionNotFound extends DomainError {
  constructor() {
    super('No such motion is under way. It may have ended.');
  }
}

/** Motions whose callers do not wait for the end, by their ids. */
export class MotionsById {
  readonly #commands: Pick<RobotCommands, 'stop'>;
  readonly #running = new Set<string>();

  constructor(commands: Pick<RobotCommands, 'stop'>) {
    this.#commands = commands;
  }

  /** The ids of the motions under way, oldest first. */
  get ids(): string[] {
    return [...this.#running];
  }

  /** Keeps a motion that has started. @returns its id @throws what ends the motion before it has moved anything */
  async keep({ ended }: StartedCommand): Promise<string> {
    const id = randomUUID();
    this.#running.add(id);
    const forgotten = ended.finally(() => this.#running.delete(id));
    forgotten.catch(() => {}); // the events say why the robot is lost
    await Promise.race([forgotten, afterPending()]);
    return id;
  }

  /** Stops the robot. @throws MotionNotFound when the motion is not under way */
  stop(id: string): void {
    if (!this.#running.has(id)) throw new MotionNotFound();
    this.#commands.stop();
  }
}
