import { isDeepStrictEqual } from 'node:util';
import { type ComputeOffer, isDeployable } from '../../catalog/compute/compute-offer.ts';
import { NoCompatibleCompute } from '../../catalog/errors.ts';
import { offerLabel } from '../../catalog/selection/selection-reasons.ts';
import type { Provider } from '../../contract/compute/endpoint-compute.ts';
import { InvalidBody } from '../../shared/invalid-input.ts';
import type { EndpointParts } from './endpoint-parts.ts';

/** Places a changed endpoint again if its compute changed. Other changes are accepted even if its compute is gone. */
export function placedIfMoved(
  offers: readonly ComputeOffer[],
  before: EndpointParts,
  after: EndpointParts,
): EndpointParts {
  return isDeepStrictEqual(hardwareOf(before), hardwareOf(after)) ? after : placedOn(offers, after);
}

function hardwareOf({ provider, compute }: EndpointParts) {
  const { accelerator, instanceType, instanceSize } = compute;
  return { provider, accelerator, instanceType, instanceSize };
}

type Hardware = Readonly<Record<'accelerator' | 'instanceType' | 'instanceSize', string | undefined>>;

/** The offer with the vendor, region, accelerator, type and size of an endpoint. */
export function offerFor(
  offers: readonly ComputeOffer[],
  { provider, compute }: { readonly provider: Provider; readonly compute: Hardware },
): ComputeOffer | undefined {
  return offers.find(
    (each) =>
      each.vendor === provider.vendor &&
      each.region === provider.region &&
      each.accelerator === compute.accelerator &&
      each.instanceType === compute.instanceType &&
      each.instanceSize === compute.instanceSize,
  );
}

/**
 * Places an endpoint on the offer with its vendor, region, accelerator, type and size.
 * @throws InvalidBody when there is no such offer, NoCompatibleCompute when nothing can be created on it
 */
export function placedOn(offers: readonly ComputeOffer[], parts: EndpointParts): EndpointParts {
  const { provider, compute } = parts;
  const offer = offerFor(offers, parts);
  if (!offer) {
    const wanted = `${compute.instanceType} ${compute.instanceSize} (${compute.accelerator})`;
    const message = `There is no ${wanted} at ${provider.vendor}, ${provider.region}. Choose from the hardware list.`;
    throw new InvalidBody(message, [{ path: ['compute', 'instanceType'], message }]);
  }
  if (!offer.hasProvider) {
    throw new NoCompatibleCompute(`No account for ${offer.vendor} is configured: nothing can be created there.`);
  }
  if (!isDeployable(offer)) throw new NoCompatibleCompute(`${offerLabel(offer)} is no longer offered.`);
  return { ...parts, compute: { ...compute, id: offer.id } };
}
