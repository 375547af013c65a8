import type { ScalingMeasure } from './endpoint-compute.ts';

/** The thresholds of an endpoint that names none, as the hub's: pending requests for each replica, percent. */
export const DEFAULT_THRESHOLDS = {
  pendingRequests: 1.5,
  hardwareUsage: 80,
} as const satisfies Record<keyof ScalingMeasure, number>;
