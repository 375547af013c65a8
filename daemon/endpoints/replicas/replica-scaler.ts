import type { Scaling } from '../../contract/compute/endpoint-compute.ts';
import type { EndpointFailure } from '../../contract/endpoints/endpoint-report.ts';
import { type Clock, sleepOn } from '../../shared/clock.ts';
import type { Logger } from '../../shared/logger.ts';
import { LoadHistory, RequestSeconds } from './load-history.ts';
import {
  decideReplicas,
  type LoadMeasure,
  loadMeasure,
  neededReplicas,
  replicaLimits,
  type ScalingSituation,
  scalingText,
} from './scaling-decision.ts';

const SAMPLE_MS = 5_000;
/** After a longer span the machine has slept: its mean says nothing of the load before and after. */
const LONGEST_SPAN_MS = 60_000;
/** After one that could not be kept in service, no other replica is started for this time. */
const BLOCK_MS = 5 * 60_000;

interface ReplicaScalerDeps {
  /** Percent of the hardware that its replicas use together; null: unknown. */
  readonly hardwareUsage: () => Promise<number | null>;
  /** The replicas that serve now. */
  readonly ready: () => number;
  /** How many more the memory has room for; null: unknown. */
  readonly room: () => Promise<number | null>;
  /** Called when the number may have to change. @param why one sentence; null: the load has changed nothing */
  readonly onCount: (why: string | null) => void;
  readonly clock: Clock;
  readonly log: Logger;
}

interface Reading {
  readonly atMs: number;
  /** By the time of day: it goes on while the machine sleeps, where the elapsed time may stand still. */
  readonly timeOfDayMs: number;
  readonly requestSeconds: number;
  readonly hardwarePercent: number | null;
}

/** Measures the load of one endpoint, and says how many replicas it is to have. */
export class ReplicaScaler {
  readonly #deps: ReplicaScalerDeps;
  readonly #requests: RequestSeconds;
  readonly #history = new LoadHistory();
  /** The scaling of the endpoint now. */
  scaling: Scaling = { minReplica: 0, maxReplica: 1, scaleToZeroTimeout: null, measure: null };
  #count = 1;
  #canMeasure = true;
  /** As of the last measurement at which the load needed more; null: unknown. */
  #room: number | null = null;
  #blocked: { readonly untilMs: number; readonly why: string } | null = null;
  /** The measurement under way; aborted to stop. null: none. */
  #measuring: { readonly of: LoadMeasure['of']; readonly run: AbortController } | null = null;

  constructor(deps: ReplicaScalerDeps) {
    this.#deps = deps;
    this.#requests = new RequestSeconds(this.#nowMs);
  }

  /** The number of replicas that the endpoint is to have while it is awake. */
  get count(): number {
    const { min, max } = replicaLimits(this.scaling);
    return Math.min(Math.max(this.#count, min), max);
  }

  /** Whether no other one is started for a while, because one could not be kept in service. */
  get isBlocked(): boolean {
    return this.#blocked !== null;
  }

  /** Why the endpoint has as many replicas as it has; null: its settings allow only one number. */
  get text(): string | null {
    return scalingText(this.#situation);
  }

  /** The requests that wait or are under way now. */
  requests(count: number): void {
    this.#requests.changed(count, this.#nowMs);
  }

  /** The endpoint starts: with the fewest replicas. */
  reset(): void {
    this.stop();
    this.#count = 1;
    this.unblock();
  }

  /** One replica less could be kept in service: no other is started for a while. @param size the replicas that are left */
  block({ message }: EndpointFailure, size: number): void {
    this.#blocked = { untilMs: this.#nowMs + BLOCK_MS, why: message };
    this.#count = size;
  }

  unblock(): void {
    this.#blocked = null;
  }

  /** Measures until `stop`, if the settings leave a choice. */
  start(): void {
    this.#count = this.count; // what lower limits cut off does not come back with higher ones
    const { min, max } = replicaLimits(this.scaling);
    const of = min < max || this.isBlocked ? loadMeasure(this.scaling.measure).of : null;
    if (of === (this.#measuring?.of ?? null)) return;
    this.stop();
    if (of === null) return;
    const run = new AbortController();
    this.#measuring = { of, run };
    this.#history.clear();
    void this.#measure(of, run.signal).catch((error: unknown) => {
      if (!run.signal.aborted) this.#deps.log.error('the load of an endpoint cannot be measured', error);
    });
  }

  stop(): void {
    this.#measuring?.run.abort();
    this.#measuring = null;
  }

  async #measure(of: LoadMeasure['of'], signal: AbortSignal): Promise<void> {
    const { clock, onCount, room } = this.#deps;
    for (let before = await this.#read(of); ; ) {
      await sleepOn(clock, SAMPLE_MS, signal);
      const now = await this.#read(of);
      signal.throwIfAborted();
      this.#add(of, before, now);
      before = now;
      this.#room = mayNeedMore(this.#situation) ? await room() : null;
      signal.throwIfAborted();
      if (this.#blocked && now.atMs >= this.#blocked.untilMs) this.unblock();
      onCount(this.#decide());
    }
  }

  async #read(of: LoadMeasure['of']): Promise<Reading> {
    const hardwarePercent = of === 'hardwareUsage' ? await this.#deps.hardwareUsage() : null;
    const atMs = this.#nowMs;
    const timeOfDayMs = this.#deps.clock.now().getTime();
    return { atMs, timeOfDayMs, requestSeconds: this.#requests.read(atMs), hardwarePercent };
  }

  #add(of: LoadMeasure['of'], before: Reading, { atMs, timeOfDayMs, requestSeconds, hardwarePercent }: Reading): void {
    const ms = atMs - before.atMs;
    const requests = ms > 0 ? (1_000 * (requestSeconds - before.requestSeconds)) / ms : null;
    // Without requests of its own, an endpoint uses nothing: other programs may use the same graphics card.
    const usage = hardwarePercent !== null && requests === 0 ? 0 : hardwarePercent;
    const load = of === 'hardwareUsage' ? usage : requests;
    this.#canMeasure = load !== null;
    const hasSlept = Math.max(ms, timeOfDayMs - before.timeOfDayMs) > LONGEST_SPAN_MS;
    if (load === null || hasSlept) this.#history.clear();
    else this.#history.add({ fromMs: before.atMs, toMs: atMs, load });
  }

  /** @returns why the number has changed, in one sentence; null: it has not */
  #decide(): string | null {
    const situation = this.#situation;
    const count = decideReplicas(situation);
    if (count === situation.count) return null;
    this.#count = count;
    return scalingText({ ...situation, count });
  }

  get #situation(): ScalingSituation {
    return {
      limits: replicaLimits(this.scaling),
      measure: loadMeasure(this.scaling.measure),
      count: this.count,
      ready: this.#deps.ready(),
      room: this.#room,
      canMeasure: this.#canMeasure,
      recent: this.#history.recent,
      highest: this.#history.highest,
      blocked: this.#blocked?.why ?? null,
    };
  }

  get #nowMs(): number {
    return this.#deps.clock.elapsedMs();
  }
}

function mayNeedMore({ recent, measure, count, limits }: ScalingSituation): boolean {
  return count < limits.max && neededReplicas(recent ?? 0, measure.threshold) > count;
}
