import type { Scaling, ScalingMeasure } from '../../contract/compute/endpoint-compute.ts';
import { DEFAULT_THRESHOLDS } from '../../contract/compute/scaling-limits.ts';

/** The fewest and the most replicas of an endpoint that is awake. */
export interface ReplicaLimits {
  readonly min: number;
  readonly max: number;
}

export function replicaLimits({ minReplica, maxReplica }: Pick<Scaling, 'minReplica' | 'maxReplica'>): ReplicaLimits {
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
