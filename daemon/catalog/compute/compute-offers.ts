import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { Accelerator } from '../../contract/catalog/catalog.ts';
import { OfferStatus } from '../../contract/compute/hardware.ts';
import type { ComputeOffer } from './compute-offer.ts';

/** The vendors' unit; with it, no memory is overestimated. */
const GB = 1e9;
/** The engines' default share of an accelerator's memory. */
const ACCELERATOR_SHARE = 0.9;
/** The rest is for the system and the server itself. */
const HOST_SHARE = 0.85;

const ListedOffer = z
  .strictObject({
    id: z.string(),
    vendor: z.string().min(1),
    region: z.string().min(1),
    accelerator: Accelerator,
    instanceType: z.string().min(1),
    instanceSize: z.string().regex(/^x[1-9]\d*$/, 'x and a number'),
    architecture: z.string().min(1),
    numAccelerators: z.int().positive(),
    /** US dollars. */
    pricePerHour: z.number().positive(),
    status: OfferStatus,
    /** Year and month. */
    deprecatedSince: z
      .string()
      .regex(/^\d{4}-\d{2}$/)
      .optional(),
    numCpus: z.int().positive().optional(),
    memoryGb: z.number().positive().optional(),
    /** The sum of its accelerators. */
    acceleratorMemoryGb: z.number().positive().optional(),
  })
  .refine((offer) => offer.id === [offer.vendor, offer.region, offer.instanceType, offer.instanceSize].join('-'), {
    message: 'the id must be vendor-region-type-size',
  })
  .refine((offer) => (offer.status === 'deprecated') === (offer.deprecatedSince !== undefined), {
    message: 'deprecatedSince is required for status deprecated, and only then',
  })
  .refine((offer) => (offer.accelerator === 'cpu' ? offer.memoryGb : offer.acceleratorMemoryGb) !== undefined, {
    message: 'the memory for models is missing',
  });

const ListedOffers = z
  .array(ListedOffer)
  .refine((offers) => new Set(offers.map(({ id }) => id)).size === offers.length, 'two offers have the same id');

/**
 * Reads the vendors' offers from `assets/catalog/compute-offers.json`. No provider is configured for them: `hasProvider`
 * is false and the quota is 0.
 * @throws Error when the file is missing or invalid: the installation is then damaged
 */
export function readComputeOffers(file: string): ComputeOffer[] {
  return ListedOffers.parse(JSON.parse(readFileSync(file, 'utf8'))).map(offerOf);
}

function offerOf(listed: z.infer<typeof ListedOffer>): ComputeOffer {
  const { memoryGb, acceleratorMemoryGb, numCpus, deprecatedSince: _, ...rest } = listed;
  const [share, taken] =
    listed.accelerator === 'cpu' ? [HOST_SHARE, memoryGb] : [ACCELERATOR_SHARE, acceleratorMemoryGb];
  return {
    ...rest,
    numCpus: numCpus ?? null,
    memoryBytes: memoryGb === undefined ? null : memoryGb * GB,
    acceleratorMemoryBytes: acceleratorMemoryGb === undefined ? null : acceleratorMemoryGb * GB,
    capacityBytes: share * (taken ?? 0) * GB,
    quota: { maxAccelerators: 0, usedAccelerators: 0 },
    hasProvider: false,
    engines: null,
  };
}
