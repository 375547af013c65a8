import { type } from 'node:os';
import * as z from 'zod';
import { type SoundVolume as Report, VolumePercent } from '../contract/robot/robot.ts';
import { EventBus } from '../shared/async/event-bus.ts';
import { readStoredFile, writeJsonFile } from '../shared/files/json-file.ts';
import type { Logger } from '../shared/logger.ts';

export const StoredVolume = z.object({ volume: VolumePercent });

/** The volume of the sounds that programs play on the robot, percent. Kept in a file; 100 until it is set. */
export class SoundVolume {
  readonly #file: string;
  readonly #log: Pick<Logger, 'error'>;
  readonly #changes = new EventBus<number>();
  #percent = 100;

  /** Calls back with each new volume. @returns a function that unsubscribes */
  readonly onChange = this.#changes.subscribe;

  constructor(deps: { file: string; log: Pick<Logger, 'error'> }) {
    this.#file = deps.file;
    this.#log = deps.log;
  }

  get percent(): number {
    return this.#percent;
  }

  get report(): Report {
    return { volume: this.#percent, platform: type(), device: "the robot's sounds" };
  }

  async load(): Promise<void> {
    const stored = await readStoredFile(this.#file, StoredVolume, this.#log).catch((error: unknown) => {
      this.#log.error('robot: the volume could not be read', error);
      return null;
    });
    this.#percent = stored?.value?.volume ?? this.#percent;
  }

  /** @throws StorageError; the volume then stays */
  async set(percent: number): Promise<Report> {
    await writeJsonFile(this.#file, { volume: percent });
    this.#percent = percent;
    this.#changes.publish(percent);
    return this.report;
  }
}
