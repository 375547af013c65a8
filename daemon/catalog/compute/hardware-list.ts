import type { Hardware } from '../../contract/compute/hardware.ts';
import { byId, type ComputeOffer, isDeployable, LOCAL_VENDOR } from './compute-offer.ts';

type Vendor = Hardware['vendors'][number];
type Region = Vendor['regions'][number];
type Compute = Region['computes'][number];

/** The offers by vendor and region. Where no provider can create, nothing is available, whatever its vendor says. */
export function hardwareList(offers: readonly ComputeOffer[]): Hardware {
  const vendors = grouped(offers, ({ vendor }) => vendor).map(([name, ofVendor]): Vendor => {
    const regions = grouped(ofVendor, ({ region }) => region).map(
      ([region, there]): Region => ({
        name: region,
        label: name === LOCAL_VENDOR ? 'This machine' : region,
        status: anyAvailable(there),
        computes: there.map(compute),
      }),
    );
    return { name, status: anyAvailable(ofVendor), regions };
  });
  return { vendors };
}

const grouped = (offers: readonly ComputeOffer[], by: (offer: ComputeOffer) => string) =>
  [...Map.groupBy(offers, by)].sort(([a], [b]) => byId(a, b));

const anyAvailable = (offers: readonly ComputeOffer[]) =>
  offers.some((offer) => offer.hasProvider && isDeployable(offer)) ? 'available' : 'not_available';

function compute(offer: ComputeOffer): Compute {
  return {
    id: offer.id,
    accelerator: offer.accelerator,
    numAccelerators: offer.numAccelerators,
    ...(offer.numCpus === null ? {} : { numCpus: offer.numCpus }),
    // Clients of this list cannot do without a number: 0 where the vendor reports none.
    memoryGb: gigabytes(offer.memoryBytes ?? 0),
    gpuMemoryGb: offer.acceleratorMemoryBytes === null ? null : gigabytes(offer.acceleratorMemoryBytes),
    instanceType: offer.instanceType,
    instanceSize: offer.instanceSize,
    architecture: offer.architecture,
    status: offer.hasProvider || offer.status === 'deprecated' ? offer.status : 'not_available',
    pricePerHour: offer.pricePerHour,
    quota: offer.quota,
  };
}

const gigabytes = (bytes: number) => Math.round(bytes / 1e8) / 10;
