import type { CardProblem } from '../../contract/compute/graphics-cards.ts';
import type { EndpointFailure } from '../../contract/endpoints/endpoint-report.ts';
import { cardProblem } from '../../graphics-cards/card-problems.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/logger.ts';
import { knownFailure } from '../failures/endpoint-failed.ts';
import { DRIVER_SILENT, EVIDENCE_LINES } from '../failures/exit-cause.ts';
import type { StartStep } from '../preparation/start-report.ts';
import type { ReplicaSetPlan } from './replica-plans.ts';
import type { KeptReplica } from './replica-usage.ts';
import type { ReplicaWatch } from './replica-watch.ts';
import { warmUp } from './warm-up.ts';

interface Loading {
  readonly plan: Pick<ReplicaSetPlan, 'id' | 'parts' | 'loaded'>;
  /** When a process of the replica wrote its last line. */
  readonly lastLineMs: () => number;
  /** Whether it has to answer a first request before others get theirs. */
  readonly warmsUp: boolean;
  readonly at: (step: StartStep, detail?: string) => void;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  readonly signal: AbortSignal;
}

/**
 * Waits until a process that was started has loaded its model where it was placed, and is warm.
 * @returns why it cannot serve: its end, or the graphics card; null: it can
 * @throws EndpointFailed when it takes too long for another reason, the reason of the signal
 */
export async function whyNotReady(
  { replica, card }: Pick<KeptReplica, 'replica' | 'card'>,
  watch: ReplicaWatch,
  { plan, lastLineMs, warmsUp, at, clock, log, signal }: Loading,
): Promise<EndpointFailure | null> {
  const ofCard = (reason: EndpointFailure['reason'], { message, action }: CardProblem): EndpointFailure => ({
    ...{ reason, message, action, evidence: replica.log.slice(-EVIDENCE_LINES) },
  });
  at('load');
  try {
    const isLoaded = await watch.loaded({ lastLineMs, onHealth: (text) => at('load', text) });
    if (!isLoaded) return await replica.exited;
  } catch (error) {
    if (card && knownFailure(error)?.reason === 'timeout') return ofCard('graphics-card', DRIVER_SILENT);
    throw error;
  }
  if (card && replica.cardUse?.layers === 0) return ofCard('no-card-memory', cardProblem('no-memory'));
  card?.loaded(() => replica.cardUse?.memoryBytes ?? 0);
  await plan.loaded();
  if (!warmsUp) return null;
  at('warm');
  const hasEnded = replica.ended.then(() => 'ended' as const);
  const result = await Promise.race([warmUp(replica, plan.parts().model, { clock, signal }), hasEnded]);
  if (result === 'ended') return replica.exited;
  if (result === 'silent') return ofCard('graphics-card', DRIVER_SILENT);
  // It serves all the same: a model may refuse this one request.
  if (result && !signal.aborted) log.warn(`endpoint ${plan.id}: its first answer may take long (${result.problem})`);
  return null;
}
