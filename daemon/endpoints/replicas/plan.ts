import type { Scaling } from '../../contract/compute/endpoint-compute.ts';
import type { EndpointState } from '../../contract/endpoints/endpoint.ts';
import type { EndpointRecord } from '../records/endpoint-record.ts';

/** The longest wait for the requests of a replica that an update replaces: then they are sent to another one. */
const UPDATE_DRAIN_MS = 30_000;
/** The longest wait for the requests of a replica that the load no longer needs. */
const SCALE_DOWN_DRAIN_MS = 10 * 60_000;
/** The longest wait for the answers of an endpoint that is paused, or is to sleep. */
const REST_DRAIN_MS = 10_000;
const NEVER = Number.POSITIVE_INFINITY;
const RUNS: ReadonlySet<EndpointState> = new Set(['pending', 'initializing', 'running', 'updating', 'updateFailed']);

/** The record of an endpoint, as far as its replicas depend on it. */
export interface PlannedRecord {
  readonly state: EndpointState;
  /** The settings that its processes depend on; see `processSettings`. */
  readonly settings: string;
}

/** The settings that an endpoint's processes depend on, as one text: a change of the others needs no new process. */
export function processSettings({ endpoint, sealed }: EndpointRecord): string {
  const { model, compute, experimentalFeatures } = endpoint;
  const { fromCatalog: _, ...served } = model;
  const { skipRepoDownload } = experimentalFeatures;
  return JSON.stringify([served, sealed.variables, skipRepoDownload, compute.accelerator]);
}

interface PlannedLoad {
  /** The replicas that the endpoint is to have. */
  readonly target: number;
  /** false: one could not be kept in service, and no other is started for a while. */
  readonly mayGrow: boolean;
}

/** One replica, or a process that no longer answers and was replaced (`hung`). */
export interface PlannedReplica {
  /** `leaving`: it ends after its requests, and may return into service. `ending`: it ends now. */
  readonly state: 'starting' | 'ready' | 'leaving' | 'hung' | 'ending';
  /** Whether a process of it is about to end, and has its memory still. */
  readonly isGoing: boolean;
  readonly requests: number;
  /** When a replica that is leaving or hung ends, whatever its requests do. */
  readonly untilMs: number;
}

/** The replicas that share one description, the oldest first. */
export interface PlannedVersion<R extends PlannedReplica> {
  readonly settings: string;
  /** It cannot be served: none of it is started any more. */
  readonly hasFailed: boolean;
  readonly replicas: readonly R[];
}

export interface PlannedVersions<R extends PlannedReplica> {
  /** The one that serves or starts; null: none does. */
  readonly current: PlannedVersion<R> | null;
  /** The one of a changed endpoint, which replaces the current one replica by replica; null: no update is under way. */
  readonly next: PlannedVersion<R> | null;
  /** Those of versions that have ended. */
  readonly earlier: readonly R[];
  /** The settings of an update that has failed, which the record does not say yet; null: none. */
  readonly failedUpdate: string | null;
}

type Served = 'current' | 'next';

export type Step<R> =
  /** A version of the record's settings becomes the current one, with no replica yet; those before it end. */
  | { readonly do: 'begin' }
  /** The same beside the current one. */
  | { readonly do: 'begin-next' }
  /** The next version takes the place of the current one, which ends. */
  | { readonly do: 'promote' }
  /** The next version ends. */
  | { readonly do: 'drop-next' }
  /** Both end. */
  | { readonly do: 'rest' }
  | { readonly do: 'start'; readonly of: Served }
  /** Ends a replica after its requests, at that time at the latest. */
  | { readonly do: 'leave'; readonly replica: R; readonly untilMs: number }
  /** Puts a replica that is leaving back into service. */
  | { readonly do: 'stay'; readonly replica: R }
  | { readonly do: 'end'; readonly replica: R };

/**
 * The next steps that bring the replicas of an endpoint in line with its record and its load. Carried out, they change
 * what is passed here; none are left once all is as it should be.
 * @param record null: there is none, or nothing of it is to run
 */
export function plan<R extends PlannedReplica>(
  record: PlannedRecord | null,
  { target, mayGrow }: PlannedLoad,
  { current, next, earlier, failedUpdate }: PlannedVersions<R>,
  nowMs: number,
): Step<R>[] {
  const leave = (replicas: readonly R[] = [], withinMs = 0) => left(replicas, withinMs, nowMs);
  if (!record || !RUNS.has(record.state)) {
    const all = [...(current?.replicas ?? []), ...(next?.replicas ?? []), ...earlier];
    return [...leave(all, record ? REST_DRAIN_MS : 0), ...(current || next ? [{ do: 'rest' } as const] : [])];
  }
  const { state, settings } = record;
  const drop = (): Step<R>[] => [...leave(next?.replicas, UPDATE_DRAIN_MS), { do: 'drop-next' }];
  const scale = (version: PlannedVersion<R>): Step<R>[] => {
    const count = mayGrow ? target : Math.min(target, Math.max(1, sizeOf(version)));
    return resized('current', version, count, SCALE_DOWN_DRAIN_MS, nowMs);
  };
  if (next && next.settings === failedUpdate) return drop();
  if (current?.settings === settings) return next ? drop() : scale(current);
  if (current?.hasFailed && next && !next.hasFailed) return [...leave(current.replicas), { do: 'promote' }];
  if (current && state === 'updateFailed') return next ? drop() : scale(current);
  if (current && state === 'updating') {
    if (settings === failedUpdate) return scale(current);
    if (next?.settings === settings) return rolled(current, next, target, nowMs);
    const serves = readyOf(current) + (next ? readyOf(next) : 0) > 0;
    if (serves) return [...leave(next?.replicas, UPDATE_DRAIN_MS), { do: 'begin-next' }];
  }
  if (next?.settings === settings) return [...leave(current?.replicas), { do: 'promote' }]; // the earlier one has ended
  return [...leave(current?.replicas), ...leave(next?.replicas), { do: 'begin' }];
}

/** The replicas whose requests have ended, or had their time. `nextMs`: when to look again; infinite: nobody is waited for. */
export function due<R extends PlannedReplica>(
  replicas: readonly R[],
  nowMs: number,
): { readonly ended: R[]; readonly nextMs: number } {
  const going = replicas.filter(({ state }) => state === 'leaving' || state === 'hung');
  const isDue = ({ requests, untilMs }: R) => requests === 0 || untilMs <= nowMs;
  const waits = going.filter((replica) => !isDue(replica)).map(({ untilMs }) => untilMs);
  return { ended: going.filter(isDue), nextMs: Math.min(...waits, NEVER) };
}

/** Only exits within this time count: a replica that ran for longer starts afresh. */
const RESTART_WINDOW_MS = 5 * 60_000;
/** The wait before each restart. The first is at once: requests may wait for it. */
const RESTART_DELAYS_MS = [0, 1_000, 5_000];
/** The most restarts within five minutes. */
export const MAX_RESTARTS = RESTART_DELAYS_MS.length;

/**
 * Decides about a replica that ended by itself.
 * @param exitsMs the times of its exits so far, the newest last
 * @returns the milliseconds to wait before it is started again; null: after 3 restarts in 5 minutes, no more
 */
export function restartDelayMs(exitsMs: readonly number[], nowMs: number): number | null {
  const recent = exitsMs.filter((exitMs) => nowMs - exitMs < RESTART_WINDOW_MS).length;
  return RESTART_DELAYS_MS[recent - 1] ?? (recent === 0 ? 0 : null);
}

export type FailureEffect = 'blocked' | 'update-failed' | 'failed' | 'none';

/**
 * The effect on the endpoint of a replica that could not be kept in service: no other is started for a while, its update
 * or the endpoint fails, or none, since another version serves.
 * @param failing.isShort whether its version goes on with other replicas
 * @param failing.currentSize the replicas of the current version that stay
 */
export function failureEffect({
  of,
  isShort,
  currentSize,
  hasNext,
}: {
  readonly of: Served;
  readonly isShort: boolean;
  readonly currentSize: number;
  readonly hasNext: boolean;
}): FailureEffect {
  if (of === 'next') return isShort || currentSize > 0 ? 'update-failed' : 'failed';
  if (hasNext) return 'none';
  return isShort ? 'blocked' : 'failed';
}

/** When an endpoint falls asleep if nobody uses it until then; infinite: it does not. */
export function sleepAtMs(
  state: EndpointState,
  { minReplica, scaleToZeroTimeout }: Pick<Scaling, 'minReplica' | 'scaleToZeroTimeout'>,
  use: { readonly isAny: boolean; readonly lastMs: number },
): number {
  if (use.isAny || minReplica > 0 || scaleToZeroTimeout === null) return NEVER;
  return state === 'running' || state === 'updateFailed' ? use.lastMs + scaleToZeroTimeout * 60_000 : NEVER;
}

/** The number of replicas that a version has or starts, without those that are about to end. */
export function sizeOf({ replicas }: Pick<PlannedVersion<PlannedReplica>, 'replicas'>): number {
  return replicas.filter(stays).length;
}

function readyOf({ replicas }: PlannedVersion<PlannedReplica>): number {
  return replicas.filter(({ state }) => state === 'ready').length;
}

const stays = ({ state }: PlannedReplica) => state === 'starting' || state === 'ready';

/** A set of replicas that replaces another one. */
interface RolloutSituation {
  /** The replicas that the endpoint is to have. */
  readonly target: number;
  /** The replicas of the earlier version: those in service or about to be, and those that are about to end. */
  readonly old: { readonly size: number; readonly leaving: number };
  /** The replicas of the new version, and how many of them are ready. */
  readonly next: { readonly size: number; readonly ready: number };
}

/**
 * The next step of an update. A replica of the earlier version goes once one of the new version is ready in its place, and
 * the one after that starts once it is gone: there is at most one replica more than the endpoint is to have.
 * @returns the sizes of both sets from now on; `isDone`: the new version serves alone
 */
export function nextRolloutStep({ target, old, next }: RolloutSituation) {
  if (next.ready >= target) return { old: 0, next: target, isDone: true };
  const oldSize = Math.min(old.size, target - next.ready); // it never grows again, also when a new replica ends
  const isRoom = oldSize === old.size && old.leaving === 0;
  return { old: oldSize, next: Math.max(next.size, isRoom ? Math.min(target, next.ready + 1) : 0, 1), isDone: false };
}

function rolled<R extends PlannedReplica>(
  old: PlannedVersion<R>,
  next: PlannedVersion<R>,
  target: number,
  nowMs: number,
): Step<R>[] {
  const leaving = old.replicas.filter(({ isGoing }) => isGoing).length;
  const sizes = { old: { size: sizeOf(old), leaving }, next: { size: sizeOf(next), ready: readyOf(next) } };
  const step = nextRolloutStep({ target, ...sizes });
  return [
    ...resized('current', old, step.old, UPDATE_DRAIN_MS, nowMs),
    ...resized('next', next, step.next, UPDATE_DRAIN_MS, nowMs),
    ...(step.isDone ? [{ do: 'promote' } as const] : []),
  ];
}

/**
 * Changes the number of replicas. Those that are about to end are put back into service before others are started. Of
 * those that go, the ones that are not ready go first, then those with the fewest requests.
 */
function resized<R extends PlannedReplica>(
  of: Served,
  { hasFailed, replicas }: PlannedVersion<R>,
  count: number,
  drainMs: number,
  nowMs: number,
): Step<R>[] {
  if (hasFailed) return [];
  const staying = replicas.filter(stays);
  const leaving = replicas.filter(({ state }) => state === 'leaving');
  const missing = Math.max(0, count - staying.length);
  const back = leaving.slice(0, missing);
  const rank = ({ state, requests }: R) => (state === 'ready' ? requests : -1);
  const leastUsed = staying.toReversed().sort((a, b) => rank(a) - rank(b));
  const going = [...leastUsed.slice(0, Math.max(0, staying.length - count)), ...leaving.slice(back.length)];
  return [
    ...back.map((replica) => ({ do: 'stay', replica }) as const),
    ...Array.from({ length: missing - back.length }, () => ({ do: 'start', of }) as const),
    ...left(going, drainMs, nowMs),
  ];
}

/** Lets replicas go. @param withinMs the longest wait for their requests; one that is under way becomes no longer by it */
function left<R extends PlannedReplica>(replicas: readonly R[], withinMs: number, nowMs: number): Step<R>[] {
  const untilMs = nowMs + withinMs;
  return replicas.flatMap((replica): Step<R>[] => {
    const { state } = replica;
    if (state === 'ending' || state === 'hung') return []; // a hung process ends with the replica in its place
    if (state === 'starting' || withinMs === 0) return [{ do: 'end', replica }];
    return state === 'leaving' && replica.untilMs <= untilMs ? [] : [{ do: 'leave', replica, untilMs }];
  });
}
