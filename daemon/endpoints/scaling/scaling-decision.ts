import type { LoadMeasure, ReplicaLimits } from './scaling-limits.ts';

/** Replicas are ended only if the others would then have this much of what they take, so that noise changes nothing. */
const CALM = 0.8;

export interface ScalingSituation {
  readonly limits: ReplicaLimits;
  readonly measure: LoadMeasure;
  /** The replicas that it is to have now. */
  readonly count: number;
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
 * The number of replicas that an endpoint is to have. It grows at once to what the recent load needs, and shrinks to what
 * the highest load of the last five minutes needs, with room to spare.
 */
export function decideReplicas({ limits, measure, count, recent, highest, blocked }: ScalingSituation): number {
  const { min, max } = limits;
  const within = (wanted: number) => Math.min(Math.max(wanted, min), max);
  const up = neededReplicas(recent ?? 0, measure.threshold);
  if (up > count) return within(blocked === null ? up : count);
  const down = highest === null ? count : neededReplicas(highest, CALM * measure.threshold);
  return within(Math.min(down, count));
}

/** The fewest replicas that take a load. */
export function neededReplicas(load: number, threshold: number): number {
  if (load <= 0) return 0;
  return Math.ceil(load / threshold); // a threshold of 0 needs all that there may be
}
