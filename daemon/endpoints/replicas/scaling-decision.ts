import type { Scaling, ScalingMeasure } from '../../contract/compute/endpoint-compute.ts';
import { DEFAULT_THRESHOLDS } from '../../contract/compute/scaling-limits.ts';

/** The fewest and the most replicas of an endpoint that is awake. */
export function replicaLimits({ minReplica, maxReplica }: Pick<Scaling, 'minReplica' | 'maxReplica'>) {
  const min = Math.max(1, minReplica);
  return { min, max: Math.max(min, maxReplica) };
}

/** The measure of an endpoint's load, and how much of it one replica takes. */
export interface LoadMeasure {
  readonly of: 'pendingRequests' | 'hardwareUsage';
  /** Requests at a time, or percent of the processors. */
  readonly threshold: number;
}

/**
 * The measure of an endpoint. Without one it is that of pending requests: a single answer may keep every processor busy
 * that the replicas share, and then more replicas are no help.
 */
export function loadMeasure(measure: ScalingMeasure | null): LoadMeasure {
  if (measure?.hardwareUsage !== undefined) {
    return { of: 'hardwareUsage', threshold: measure.hardwareUsage ?? DEFAULT_THRESHOLDS.hardwareUsage };
  }
  return { of: 'pendingRequests', threshold: measure?.pendingRequests ?? DEFAULT_THRESHOLDS.pendingRequests };
}

/** Replicas are ended only if the others would then have this much of what they take, so that noise changes nothing. */
const CALM = 0.8;
/** A load that needs many replicas gets twice as many at a time, the next ones once these serve. */
const GROWTH = 2;

export interface ScalingSituation {
  readonly limits: ReturnType<typeof replicaLimits>;
  readonly measure: LoadMeasure;
  /** The replicas that it is to have now. */
  readonly count: number;
  /** How many of them serve: none is added before the others show what they take. */
  readonly ready: number;
  /** How many more the memory of this machine has room for; null: unknown. */
  readonly room: number | null;
  /** Whether the measure can be read on this machine. */
  readonly canMeasure: boolean;
  /** The mean load of the last 20 s, of all replicas together; null: not known yet. */
  readonly recent: number | null;
  /** The highest load of the last 5 minutes; null: not known yet. */
  readonly highest: number | null;
  /** Why no more replicas are started for a while; null: they may be. */
  readonly blocked: string | null;
}

/**
 * The number of replicas that an endpoint is to have. It grows to what the recent load needs, to twice as many at a time
 * and as far as the memory allows. It shrinks to what the highest load of the last five minutes needs, with room to spare.
 */
export function decideReplicas(situation: ScalingSituation): number {
  const { limits, measure, count, ready, room, recent, highest, blocked } = situation;
  const { min, max } = limits;
  const within = (wanted: number) => Math.min(Math.max(wanted, min), max);
  const up = neededReplicas(recent ?? 0, measure.threshold);
  if (up > count) {
    const mayGrow = blocked === null && ready >= count;
    return within(mayGrow ? Math.min(up, GROWTH * count, count + (room ?? Number.POSITIVE_INFINITY)) : count);
  }
  const down = highest === null ? count : neededReplicas(highest, CALM * measure.threshold);
  return within(Math.min(down, count));
}

/** The fewest replicas that take a load. */
export function neededReplicas(load: number, threshold: number): number {
  if (load <= 0) return 0;
  return Math.ceil(load / threshold); // a threshold of 0 needs all that there may be
}

/** Why an endpoint has as many replicas as it has; null: its settings allow only one number. */
export function scalingText(situation: ScalingSituation): string | null {
  const { limits, measure, count, room, canMeasure, recent, highest, blocked } = situation;
  if (blocked !== null) return `No other replica is started for five minutes, because one failed. ${blocked}`;
  if (limits.min === limits.max) return null;
  const replicas = count === 1 ? '1 replica' : `${count} replicas`;
  if (!canMeasure) return `${replicas}: the use of the hardware cannot be measured here.`;
  if (recent === null) return `${replicas}: the load is not known yet.`;
  const load = loadText(recent, measure);
  const limit = limitText(measure);
  if (neededReplicas(recent, measure.threshold) > count) {
    return `${replicas}${mostText(count === limits.max, room)}: ${load}, more than ${limit}.`;
  }
  if (count > limits.min && neededReplicas(recent, measure.threshold) < count) {
    const past = highest === null ? 'it may have been higher' : `it was up to ${number(highest, measure)}`;
    return `${replicas}: ${load}; ${past} in the last five minutes.`;
  }
  return `${replicas}: ${load}, at most ${limit}.`;
}

/** Why there are no more replicas, which the load needs. */
function mostText(isMost: boolean, room: number | null): string {
  if (isMost) return ', the most that it may have';
  return room === 0 ? ', the most that the free memory has room for' : '';
}

function loadText(load: number, measure: LoadMeasure): string {
  const amount = number(load, measure);
  if (measure.of === 'hardwareUsage') return `${amount} of the hardware in use`;
  return amount === '1' ? '1 request at a time' : `${amount} requests at a time`;
}

const limitText = (measure: LoadMeasure) => `${number(measure.threshold, measure)} for each replica`;

function number(value: number, { of }: LoadMeasure): string {
  return of === 'pendingRequests' ? String(Number(value.toFixed(1))) : `${Math.round(value)} %`;
}
