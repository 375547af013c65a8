import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { Accelerator } from '../../contract/catalog/catalog.ts';
import { OfferStatus } from '../../contract/compute/hardware.ts';
import type { ComputeOffer } from './compute-offer.ts';

/** Vendors count in these, and so nothing is taken for larger than it is. */
const GB = 1e9;
/** What the engines take of an accelerator's memory unless they are told otherwise. */
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
    instanceSize: z.string().regex(/^x[1-9]\d*$/, 'x and how many'),
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
    /** Of all its accelerators together. */
    acceleratorMemoryGb: z.number().positive().optional(),
  })
  .refine((offer) => offer.id === [offer.vendor, offer.region, offer.instanceType, offer.instanceSize].join('-'), {
    message: 'the id is not made of vendor, region, type and size',
  })
  .refine((offer) => (offer.status === 'deprecated') === (offer.deprecatedSince !== undefined), {
    message: 'deprecated, and since when, go together',
  })
  .refine((offer) => (offer.accelerator === 'cpu' ? offer.memoryGb : offer.acceleratorMemoryGb) !== undefined, {
    message: 'the memory that a model would take is missing',
  });

const ListedOffers = z
  .array(ListedOffer)
  .refine((offers) => new Set(offers.map(({ id }) => id)).size === offers.length, 'two offers have the same id');

/**
 * What vendors list, from `assets/catalog/compute-offers.json`. Nothing can be created there until a provider with an
 * account says so: `hasProvider` is false, and the quota is none.
 * @throws Error when the file is missing or not what it should be: the product is then damaged
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
