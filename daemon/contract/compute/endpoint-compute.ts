import * as z from 'zod';
import { namedStrictly, oneKey } from '../common/common.ts';
import { MAX_REPLICAS, TOO_MANY_REPLICAS } from './scaling-limits.ts';

export const ComputeAccelerator = z.enum(['cpu', 'gpu', 'neuron', 'zero_gpu']);
export type ComputeAccelerator = z.infer<typeof ComputeAccelerator>;

/** A number of replicas. */
export const Replicas = z.int32().min(0);

/** A number of replicas in a request. */
export const WantedReplicas = z.int().min(0).max(MAX_REPLICAS, TOO_MANY_REPLICAS);

/** The measure that starts more replicas, and its threshold; null: the engine's own threshold. */
export const ScalingMeasure = oneKey(
  {
    /** Percent. */
    hardwareUsage: z.number().min(0).max(100).nullable().optional(),
    pendingRequests: z.number().min(0).nullable().optional(),
  },
  'what is measured',
);
export type ScalingMeasure = z.infer<typeof ScalingMeasure>;

/** The limits on the number of replicas. */
export const Scaling = namedStrictly('Scaling', {
  /** 0: it may sleep while unused. */
  minReplica: Replicas,
  maxReplica: Replicas,
  /** Minutes without use before it sleeps; null: never. */
  scaleToZeroTimeout: z.int32().min(0).nullable(),
  measure: ScalingMeasure.nullable(),
});
export type Scaling = z.infer<typeof Scaling>;

/** Scaling in a request. `metric` and `threshold` are the older names of `measure`, accepted but never returned. */
export const ScalingFields = z.strictObject({
  minReplica: WantedReplicas.optional(),
  maxReplica: WantedReplicas.optional(),
  scaleToZeroTimeout: z.int32().min(0).nullable().optional(),
  measure: ScalingMeasure.nullable().optional(),
  metric: z.enum(['hardwareUsage', 'pendingRequests']).nullable().optional().meta({ deprecated: true }),
  threshold: z.number().min(0).nullable().optional().meta({ deprecated: true }),
});
export type ScalingFields = z.infer<typeof ScalingFields>;

/** The hardware of one replica. */
export const Compute = namedStrictly('Compute', {
  accelerator: ComputeAccelerator,
  /** The offer, for a person. Ignored in requests. */
  id: z.string().nullable(),
  instanceType: z.string(),
  instanceSize: z.string(),
  scaling: Scaling,
});
export type Compute = z.infer<typeof Compute>;

/** The vendor and region of an endpoint. */
export const Provider = namedStrictly('Provider', { vendor: z.string().min(1), region: z.string().min(1) });
export type Provider = z.infer<typeof Provider>;
