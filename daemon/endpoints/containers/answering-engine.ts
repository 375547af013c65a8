import type { ContainerEngine } from '../../containers/container-engine.ts';
import type { ContainerEngineFinder } from '../../containers/container-engine-finder.ts';
import { ContainerEngineGone } from '../../containers/errors.ts';
import type { ContainerEngineStatus } from '../../contract/endpoints/runtimes.ts';
import { type Clock, sleepOn } from '../../shared/clock.ts';
import { EndpointFailed } from '../failures/endpoint-failed.ts';

/** A machine that has just started has its engine within this time, and so has one whose engine is being updated. */
const LONGEST_WAIT_MS = 10 * 60_000;
const LOOK_EVERY_MS = 2_000;

export interface EngineSearch {
  readonly finder: Pick<ContainerEngineFinder, 'status' | 'find' | 'refresh'>;
  readonly clock: Clock;
}

/**
 * Asks the engine of this machine, and waits while none answers.
 * @param ask a short question that an engine answers unless it is gone
 * @param onWait called at each look while none answers
 * @returns the engine and its answer
 * @throws EndpointFailed after ten minutes, the reason of the signal, or an error of `ask`
 */
export async function answeringEngine<Answer>(
  { finder, clock }: EngineSearch,
  ask: (engine: ContainerEngine) => Promise<Answer>,
  { signal, onWait }: { readonly signal: AbortSignal; readonly onWait: () => void },
): Promise<{ readonly engine: ContainerEngine; readonly answer: Answer }> {
  const startedMs = clock.elapsedMs();
  for (;;) {
    const engine = await finder.find();
    signal.throwIfAborted();
    try {
      if (engine) return { engine, answer: await ask(engine) };
    } catch (error) {
      if (!(error instanceof ContainerEngineGone)) throw error;
    }
    if (clock.elapsedMs() - startedMs >= LONGEST_WAIT_MS)
      throw goneForLong(engine?.label ?? 'The container engine', await finder.status());
    onWait();
    await sleepOn(clock, LOOK_EVERY_MS, signal);
    finder.refresh();
  }
}

const goneForLong = (label: string, { problem, action }: ContainerEngineStatus) =>
  new EndpointFailed({
    reason: 'container-engine',
    message: `${label} has not answered for 10 minutes.${problem === null ? '' : ` ${problem}`}`,
    action: action === null ? 'Start it again, then resume the endpoint.' : `${action} Then resume the endpoint.`,
  });
