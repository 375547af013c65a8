import type { LoadMeasure, ReplicaLimits } from './scaling-limits.ts';

/** Replicas are ended only if the others would then have this much of what they take, so that noise changes nothing. */
const CALM = 0.8;
/** A load that needs many replicas gets twice as many at a time, the next ones once these serve. */
const GROWTH = 2;

export interface ScalingSituation {
  readonly limits: ReplicaLimits;
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
