import { type Clock, sleepOn } from '../../shared/clock.ts';
import { type EngineClient, EngineRefused } from '../engine-client.ts';
import { containerState } from './container-state.ts';

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
