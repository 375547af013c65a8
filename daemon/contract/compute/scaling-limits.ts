/** The thresholds of an endpoint that names none, as the hub's: pending requests for each replica, percent. */
export const DEFAULT_THRESHOLDS = {
  pendingRequests: 1.5,
  hardwareUsage: 80,
} as const;

/** The most replicas of one endpoint: each has the whole model in the memory of one machine. */
export const MAX_REPLICAS = 32;

/** Why a larger number is refused. */
export const TOO_MANY_REPLICAS = `One machine runs at most ${MAX_REPLICAS} replicas of an endpoint.`;
