import { settlesWithin } from '../shared/async/settles-within.ts';
import type { Clock } from '../shared/clock.ts';
import type { Logger } from '../shared/logger.ts';
import type { ContainerEngineFinder } from './container-engine-finder.ts';
import type { ContainerRegister } from './container-register.ts';
import { removeOwned } from './container-removal.ts';
import { EngineClient } from './engine-client.ts';
import { placeFrom } from './finding/engine-places.ts';

/** A look at an engine that is away costs a connection to a socket, and one with nothing left costs nothing. */
const LOOK_AGAIN_MS = 3_000;
/** An engine that answers and fails to remove has work at each look: the wait grows by a look's with each failure, up to a minute. */
const LONGEST_WAIT_MS = 60_000;
const CLOSE_MS = 2_000;
const MAY_STILL_RUN = 'Containers of an earlier daemon may still run.';

interface LeftoverContainersDeps {
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
  /** The number of looks in a row that have failed. */
  #failures = 0;
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
    await settlesWithin(this.#deps.clock, CLOSE_MS, this.#looking);
  }

  async #look(): Promise<void> {
    const { register, log, clock } = this.#deps;
    let hasFailed = false;
    try {
      for (const engine of await register.leftovers()) hasFailed = !(await this.#removeFrom(engine)) || hasFailed;
    } catch (error) {
      log.error('containers: those of an earlier daemon are not known', error);
    }
    this.#failures = hasFailed ? this.#failures + 1 : 0;
    const waitMs = Math.min(LOOK_AGAIN_MS * Math.max(1, this.#failures), LONGEST_WAIT_MS);
    if (!this.#isClosed) this.#cancel = clock.after(waitMs, () => this.start());
  }

  /** @returns false: the engine answers and could not remove all; it is tried again */
  async #removeFrom(place: string): Promise<boolean> {
    const { finder, log } = this.#deps;
    try {
      const removed = (await (await finder.engineAt(place))?.removeOrphans()) ?? 0;
      if (removed > 0) log.warn(`containers: removed ${removed} that nobody used any more`);
      return true;
    } catch (error) {
      if (!this.#logged.has(place)) log.warn(`containers: ${(error as Error).message} ${MAY_STILL_RUN}`);
      this.#logged.add(place);
      return false;
    }
  }
}

/**
 * Removes the containers of a daemon that was killed. The engines of its record are not looked at first, which takes Podman
 * seconds on a busy machine. The record stays as it is: an engine may still be creating a container for that daemon, and
 * the next one removes it.
 * @returns how many. @throws ContainerEngineGone when an engine does not answer, or could not remove all
 */
export async function endRecordedContainers(
  register: Pick<ContainerRegister, 'leftovers' | 'identity'>,
  clock: Clock,
): Promise<number> {
  const removals = (await register.leftovers()).map(async (engine) => {
    const place = placeFrom(engine);
    if (place === null) return 0;
    const owner = await register.identity();
    return removeOwned(new EngineClient(clock, place, engine), { owner, label: engine, isHeld: () => false, clock });
  });
  await Promise.allSettled(removals); // the guardian ends after this, also when one of the engines is away
  const removed = await Promise.all(removals);
  return removed.reduce((sum, count) => sum + count, 0);
}
