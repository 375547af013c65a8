import { type ComputeOffer, LOCAL_VENDOR } from './compute-offer.ts';

/**
 * The limits of this machine's programs. Each is a sentence for a person that says why and what to do; null: no limit.
 * The first three are for recipes of llama.cpp.
 */
export interface LocalLimits {
  readonly cpu: string | null;
  readonly gpu: string | null;
  /** Reading images. */
  readonly vision: string | null;
  /** Running containers, in which the other engines run. */
  readonly containers: string | null;
  /** A graphics card in a container. */
  readonly containerGpu: string | null;
  /** The engines and accelerators that an image is known for, such as `vllm:gpu`: those of a url `engines/vllm:gpu`. */
  readonly images: ReadonlySet<string>;
  /** Whether a program can be installed that lifts the limits of the CPU and of reading images. */
  readonly canInstall: boolean;
}

/** The offers, those of this machine with what its programs lack. */
export function withLocalLimits(offers: readonly ComputeOffer[], limits: LocalLimits): ComputeOffer[] {
  return offers.map((offer) => {
    if (offer.vendor !== LOCAL_VENDOR) return offer;
    const { cpu, gpu, vision } = limits;
    const isGpu = offer.accelerator === 'gpu';
    return { ...offer, lacks: { engine: isGpu ? gpu : cpu, vision, canInstall: !isGpu && limits.canInstall } };
  });
}

/**
 * Offers that follow what the programs of this machine lack. Measured once; a new array only after other limits.
 * @param limits returns the same object while nothing has changed
 */
export function offersWithLimits(
  offers: () => Promise<readonly ComputeOffer[]>,
  limits: () => Promise<LocalLimits>,
): () => Promise<readonly ComputeOffer[]> {
  let known: { readonly limits: LocalLimits; readonly offers: readonly ComputeOffer[] } | null = null;
  return async () => {
    const [measured, now] = await Promise.all([offers(), limits()]);
    if (known?.limits !== now) known = { limits: now, offers: withLocalLimits(measured, now) };
    return known.offers;
  };
}
