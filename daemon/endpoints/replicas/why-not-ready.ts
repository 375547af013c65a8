import type { CardProblem } from '../../contract/compute/graphics-cards.ts';
import type { EndpointModel } from '../../contract/endpoints/endpoint-model.ts';
import type { EndpointFailure } from '../../contract/endpoints/endpoint-report.ts';
import { cardProblem } from '../../graphics-cards/card-problems.ts';
import { type Clock, sleepOn } from '../../shared/clock.ts';
import type { Logger } from '../../shared/logger.ts';
import { llamaWords } from '../description/llama-arguments.ts';
import { knownFailure } from '../failures/endpoint-failed.ts';
import { DRIVER_SILENT, EVIDENCE_LINES } from '../failures/exit-cause.ts';
import type { StartStep } from '../preparation/start-report.ts';
import type { Replica } from '../runtime/endpoint-runtime.ts';
import type { ReplicaSetPlan } from './replica-plans.ts';
import type { KeptReplica } from './replica-usage.ts';
import type { ReplicaWatch } from './replica-watch.ts';
import { warmUp } from './warm-up.ts';

interface Loading {
  readonly plan: Pick<ReplicaSetPlan, 'id' | 'parts' | 'loaded'>;
  /** When a process of the replica wrote its last line. */
  readonly lastLineMs: () => number;
  /** The program that runs it, with its version. */
  readonly program: string;
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
  { plan, program, lastLineMs, warmsUp, at, clock, log, signal }: Loading,
): Promise<EndpointFailure | null> {
  const ofCard = (reason: EndpointFailure['reason'], { message, action }: CardProblem): EndpointFailure => ({
    ...{ reason, message, action, evidence: replica.log.slice(-EVIDENCE_LINES) },
  });
  at('load');
  try {
    const isLoaded = await watch.loaded({ lastLineMs, onHealth: (text) => at('load', text) });
    if (!isLoaded) return await replica.exited;
  } catch (error) {
    const isLate = knownFailure(error)?.reason === 'timeout';
    if (card && isLate && (await isIdle(replica, { clock, signal }))) return ofCard('graphics-card', DRIVER_SILENT);
    throw error;
  }
  const { model } = plan.parts();
  if (card && replica.cardUse?.layers === 0 && !choosesLayers(model)) {
    return ofCard('no-card-memory', cardProblem('no-memory'));
  }
  card?.loaded(() => replica.cardUse?.memoryBytes ?? 0);
  await plan.loaded();
  if (!warmsUp) return null;
  at('warm');
  const key = JSON.stringify([program, card?.card.name, model]);
  const isCompiled = (await card?.compiled.has(key)) === true;
  const hasEnded = replica.ended.then(() => 'ended' as const);
  const result = await Promise.race([warmUp(replica, model, { clock, signal, isCompiled }), hasEnded]);
  if (result === 'ended') return replica.exited;
  if (result === 'silent' && (await isIdle(replica, { clock, signal }))) return ofCard('graphics-card', DRIVER_SILENT);
  // It serves all the same: a model may refuse this one request, or be slow.
  if (result === null) await card?.compiled.add(key);
  const problem = result === 'silent' ? 'it has none after ten minutes' : result?.problem;
  if (problem !== undefined && !signal.aborted) {
    log.warn(`endpoint ${plan.id}: its first answer may take long (${problem})`);
  }
  return null;
}

/** For so long a process that works uses more of the processor than `IDLE_S`, also one that only reads a file. */
const WATCHED_MS = 10_000;
const IDLE_S = 0.02;

/** Whether a process does nothing, as one that waits for its graphics driver. One that cannot be measured counts as idle. */
async function isIdle(
  replica: Pick<Replica, 'cpuSeconds'>,
  { clock, signal }: Pick<Loading, 'clock' | 'signal'>,
): Promise<boolean> {
  const before = await replica.cpuSeconds();
  await sleepOn(clock, WATCHED_MS, signal);
  const after = await replica.cpuSeconds();
  return before === null || after === null || after - before < IDLE_S;
}

/** Whether the endpoint's own arguments for llama-server say how much is put on the card. */
function choosesLayers({ args, env }: Pick<EndpointModel, 'args' | 'env'>): boolean {
  const isOption = (word: string) => /^(?:-ngl|--gpu-layers|--n-gpu-layers|-dev|--device)$/.test(word);
  return (
    llamaWords(args).some(isOption) || Object.keys(env).some((name) => /^LLAMA_ARG_(N_GPU_LAYERS|DEVICE)$/i.test(name))
  );
}
