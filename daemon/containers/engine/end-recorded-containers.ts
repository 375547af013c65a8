import type { Clock } from '../../shared/clock.ts';
import { EngineClient } from '../engine-client.ts';
import { placeFrom } from '../finding/engine-places.ts';
import type { ContainerRegister } from '../running/container-register.ts';
import { removeOwned } from '../running/remove-owned.ts';

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
