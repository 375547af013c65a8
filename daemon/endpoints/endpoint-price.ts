import { type ComputeOffer, LOCAL_VENDOR } from '../catalog/compute/compute-offer.ts';
import type { StoredEndpoint } from './records/stored-endpoint.ts';

/** US dollars for an hour in which a replica runs; 0: it costs nothing, null: unknown. */
export async function priceOf(
  { provider, compute }: Pick<StoredEndpoint, 'provider' | 'compute'>,
  offers: () => Promise<readonly ComputeOffer[]>,
): Promise<number | null> {
  if (provider.vendor === LOCAL_VENDOR) return 0;
  const offer = (await offers()).find(
    ({ vendor, region, id }) => vendor === provider.vendor && region === provider.region && id === compute.id,
  );
  return offer?.pricePerHour ?? null;
}
