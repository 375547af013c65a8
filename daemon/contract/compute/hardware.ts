import * as z from 'zod';
import { namedStrictly } from '../common/common.ts';
import { ComputeAccelerator } from './endpoint-compute.ts';

/** The availability of an offer. */
export const OfferStatus = z.enum(['available', 'low_availability', 'not_available', 'reserved', 'deprecated']);
export type OfferStatus = z.infer<typeof OfferStatus>;

/** A compute offer; memory in GB of 1e9 bytes, the price in US dollars. */
const HardwareCompute = namedStrictly('HardwareCompute', {
  id: z.string(),
  accelerator: ComputeAccelerator,
  numAccelerators: z.int(),
  numCpus: z.int().optional(),
  memoryGb: z.number(),
  gpuMemoryGb: z.number().nullable(),
  instanceType: z.string(),
  instanceSize: z.string(),
  architecture: z.string(),
  status: OfferStatus,
  pricePerHour: z.number(),
  quota: z.strictObject({ maxAccelerators: z.int(), usedAccelerators: z.int() }),
});

/** The compute for endpoints, by vendor and region. */
export const Hardware = namedStrictly('Hardware', {
  vendors: z.array(
    z.strictObject({
      name: z.string(),
      status: z.enum(['available', 'not_available']),
      regions: z.array(
        z.strictObject({
          name: z.string(),
          label: z.string(),
          status: z.enum(['available', 'not_available']),
          computes: z.array(HardwareCompute),
        }),
      ),
    }),
  ),
});
export type Hardware = z.infer<typeof Hardware>;
