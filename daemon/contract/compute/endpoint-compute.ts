import * as z from 'zod';
import { oneKey } from '../common/one-key.ts';

export const ComputeAccelerator = z.enum(['cpu', 'gpu', 'neuron', 'zero_gpu']);
export type ComputeAccelerator = z.infer<typeof ComputeAccelerator>;

/** Replicas, in whole numbers. */
export const Replicas = z.int32().min(0);

/** What makes more replicas start, and from where on; null: the engine's own threshold. */
export const ScalingMeasure = oneKey(
  {
    /** Percent. */
    hardwareUsage: z.number().min(0).max(100).nullable().optional(),
    pendingRequests: z.number().min(0).nullable().optional(),
  },
  'what is measured',
);
export type ScalingMeasure = z.infer<typeof ScalingMeasure>;

/** How many replicas run, and when. */
export const Scaling = z
  .strictObject({
    /** 0: it may sleep while nobody uses it. */
    minReplica: Replicas,
    maxReplica: Replicas,
    /** Minutes without use before it sleeps; null: never. */
    scaleToZeroTimeout: z.int32().min(0).nullable(),
    measure: ScalingMeasure.nullable(),
  })
  .meta({ id: 'Scaling' });
export type Scaling = z.infer<typeof Scaling>;

/** What scaling may be asked for: `metric` and `threshold` are the older words for `measure`, read and never written. */
export const ScalingFields = z.strictObject({
  minReplica: Replicas.optional(),
  maxReplica: Replicas.optional(),
  scaleToZeroTimeout: z.int32().min(0).nullable().optional(),
  measure: ScalingMeasure.nullable().optional(),
  metric: z.enum(['hardwareUsage', 'pendingRequests']).nullable().optional().meta({ deprecated: true }),
  threshold: z.number().min(0).nullable().optional().meta({ deprecated: true }),
});
export type ScalingFields = z.infer<typeof ScalingFields>;

/** What one replica computes on. */
export const Compute = z
  .strictObject({
    accelerator: ComputeAccelerator,
    /** For a person: which offer that is. Ignored where it is given. */
    id: z.string().nullable(),
    instanceType: z.string(),
    instanceSize: z.string(),
    scaling: Scaling,
  })
  .meta({ id: 'Compute' });
export type Compute = z.infer<typeof Compute>;

/** Where an endpoint computes: whose machines, and which of their places. */
export const Provider = z
  .strictObject({ vendor: z.string().min(1), region: z.string().min(1) })
  .meta({ id: 'Provider' });
export type Provider = z.infer<typeof Provider>;
