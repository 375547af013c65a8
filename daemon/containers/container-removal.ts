import { type Clock, sleepOn } from '../shared/clock.ts';
import { labels } from './container-options.ts';
import { containerState } from './container-state.ts';
import { type EngineClient, EngineRefused } from './engine-client.ts';
import { ContainerEngineGone } from './errors.ts';

const REMOVE_MS = 10_000;
/** Another request may be removing it, or the system may be slow to take its file system apart. */
const ATTEMPTS = 5;
const AGAIN_MS = 500;

/**
 * Removes a container with its anonymous volumes, also one that runs.
 * @returns whether it is known to be gone. Never rejects
 */
export async function removeContainer(clock: Clock, client: EngineClient, idOrName: string): Promise<boolean> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const failure = await client
      .call(REMOVE_MS, (docker, abortSignal) =>
        docker.getContainer(idOrName).remove({ force: true, v: true, abortSignal }),
      )
      .then(
        () => null,
        (error: unknown) => error,
      );
    if (failure !== null && !(failure instanceof EngineRefused)) return false; // the engine is gone
    if ((await containerState(client, idOrName)) === 'gone') return true;
    await sleepOn(clock, AGAIN_MS);
  }
  return false;
}

const LIST_MS = 5_000;

interface RemoveOwnedOptions {
  /** The value of the owner's label. */
  readonly owner: string;
  /** The name of the engine, for failures. */
  readonly label: string;
  /** Whether a container of this name stays. */
  readonly isHeld: (name: string) => boolean;
  readonly clock: Clock;
}

/**
 * Removes all containers of a data folder from an engine, also those that run, but those that are held.
 * @returns how many. @throws ContainerEngineGone also when one could not be removed
 */
export async function removeOwned(
  client: EngineClient,
  { owner, label, isHeld, clock }: RemoveOwnedOptions,
): Promise<number> {
  const filters = { label: [`${labels.owner}=${owner}`] };
  const containers = await client.call(LIST_MS, (docker, abortSignal) =>
    docker.listContainers({ all: true, filters, abortSignal }),
  );
  const found = containers.filter(
    ({ Labels, Names }) => Labels[labels.owner] === owner && !Names.some((name) => isHeld(name.slice(1))),
  );
  const removed = await Promise.all(found.map(({ Id }) => removeContainer(clock, client, Id)));
  if (removed.some((isGone) => !isGone)) throw new ContainerEngineGone(label);
  return removed.length;
}
