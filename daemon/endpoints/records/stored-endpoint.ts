import * as z from 'zod';
import { Compute, Replicas, Scaling } from '../../contract/compute/endpoint-compute.ts';
import { MAX_REPLICAS } from '../../contract/compute/scaling-limits.ts';
import { CustomRouter, Endpoint, EndpointStatus } from '../../contract/endpoints/endpoint.ts';
import { defaultSettings } from '../description/endpoint-parts.ts';

/** A status as stored: an endpoint's address depends on the address that the caller uses for the daemon. */
export const StoredStatus = EndpointStatus.omit({ url: true });
export type StoredStatus = z.infer<typeof StoredStatus>;

/** Earlier versions stored numbers that no machine runs: they count as the most that one does. */
const storedReplicas = Replicas.overwrite((replicas) => Math.min(replicas, MAX_REPLICAS));
const storedScaling = Scaling.extend({ minReplica: storedReplicas, maxReplica: storedReplicas });

/** Earlier versions stored a port that only `extProc` has. */
const storedRouter = CustomRouter.overwrite((router) =>
  router.protocol === 'extProc' ? router : { ...router, grpcPort: null },
);

/** Earlier versions stored fewer settings. */
const withDefaults = (stored: unknown) => (isRecord(stored) ? { ...defaultSettings, ...stored } : stored);
const isRecord = (value: unknown): value is object => typeof value === 'object' && value !== null;

export const StoredEndpoint = z.preprocess(
  withDefaults,
  Endpoint.extend({
    status: StoredStatus,
    customRouter: storedRouter.nullable(),
    compute: Compute.extend({ scaling: storedScaling }),
  }),
);
export type StoredEndpoint = z.infer<typeof StoredEndpoint>;
