import { settlesWithin } from '../../shared/async/settles-within.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/logger.ts';
import type { ContainerRegister } from '../running/container-register.ts';
import type { ContainerEngineFinder } from './container-engine-finder.ts';

/** A look costs a connection to a socket if something may be left, and nothing otherwise. */
const LOOK_AGAIN_MS = 3_000;
const CLOSE_MS = 2_000;

export interface LeftoverContainersDeps {
  readonly finder: Pick<ContainerEngineFinder, 'engineAt'>;
  readonly register: Pick<ContainerRegister, 'leftovers'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Removes the containers that an earlier daemon left, and those that could not be removed because their engine was away:
 * once it answers. Without such containers it reads one file, and asks no engine.
 */
export class LeftoverContainers {
  readonly #deps: LeftoverContainersDeps;
  #cancel: () => void = () => {};
  #looking: Promise<void> = Promise.resolve();
  #isClosed = false;
  /** The engines whose failures are in the log. */
  readonly #logged = new Set<string>();

  constructor(deps: LeftoverContainersDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#looking = this.#look();
  }

  /** Waits for a removal under way, at most 2 s: the next daemon goes on with it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    await settlesWithin(CLOSE_MS, this.#looking);
  }

  async #look(): Promise<void> {
    const { register, log, clock } = this.#deps;
    try {
      for (const engine of await register.leftovers()) await this.#removeFrom(engine);
    } catch (error) {
      log.error('containers: those of an earlier daemon are not known', error);
    }
    if (!this.#isClosed) this.#cancel = clock.after(LOOK_AGAIN_MS, () => this.start());
  }

  async #removeFrom(place: string): Promise<void> {
    const { finder, log } = this.#deps;
    try {
      const removed = (await (await finder.engineAt(place))?.removeOrphans()) ?? 0;
      if (removed > 0) log.warn(`containers: removed ${removed} that nobody used any more`);
    } catch (error) {
      if (this.#logged.has(place)) return;
      this.#logged.add(place);
      log.warn(`containers: ${(error as Error).message} Containers of an earlier daemon may still run.`);
    }
  }
}
