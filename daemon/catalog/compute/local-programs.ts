import { EngineType } from '../../contract/catalog/catalog.ts';
import { type ComputeOffer, engineNames, type Lack, LOCAL_VENDOR } from './compute-offer.ts';

/**
 * The limits of this machine's programs. Each is a sentence for a person that says why and what to do; null: no limit.
 * The first three are for recipes of llama.cpp, which runs in a container where no other program can run it.
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

const containerEngines = EngineType.exclude(['llamacpp', 'custom']).options;

/** The offers, those of this machine with the engines that it runs, and what its programs lack to run them. */
export function withLocalLimits(offers: readonly ComputeOffer[], limits: LocalLimits): ComputeOffer[] {
  return offers.map((offer) => (offer.vendor === LOCAL_VENDOR ? { ...offer, ...enginesOf(offer, limits) } : offer));
}

/** Containers run every engine that an image is known for. */
function enginesOf({ accelerator }: ComputeOffer, limits: LocalLimits): Pick<ComputeOffer, 'engines' | 'lacks'> {
  const isGpu = accelerator === 'gpu';
  const canInstall = !isGpu && limits.canInstall;
  const noContainer = limits.containers ?? (isGpu ? limits.containerGpu : null);
  const inContainers = containerEngines.filter((engine) => limits.images.has(`${engine.toLowerCase()}:${accelerator}`));
  const engines: Partial<Record<EngineType, Lack>> = {};
  const llamacpp = isGpu ? limits.gpu : limits.cpu;
  if (llamacpp !== null) engines.llamacpp = { sentence: llamacpp, canInstall };
  for (const engine of noContainer === null ? [] : inContainers) {
    const sentence = `Needs ${engineNames[engine]}, which runs in a container. ${noContainer}`;
    engines[engine] = { sentence, canInstall: false };
  }
  const vision = limits.vision === null ? null : { sentence: limits.vision, canInstall };
  return { engines: ['llamacpp', ...inContainers], lacks: { engines, vision } };
}

interface OffersDeps {
  readonly ofMachine: () => Promise<readonly ComputeOffer[]>;
  readonly listed: () => Promise<readonly ComputeOffer[]>;
  readonly limits: () => Promise<LocalLimits>;
}

/**
 * All offers, those of this machine with what its programs lack. Each function of `deps` returns the same object while
 * nothing has changed, and so does this one.
 */
export function offersWithLimits(deps: OffersDeps): () => Promise<readonly ComputeOffer[]> {
  let known: { readonly from: readonly unknown[]; readonly offers: readonly ComputeOffer[] } | null = null;
  return async () => {
    const [ofMachine, listed, limits] = await Promise.all([deps.ofMachine(), deps.listed(), deps.limits()]);
    const from = [ofMachine, listed, limits];
    if (!known?.from.every((part, index) => part === from[index])) {
      known = { from, offers: withLocalLimits([...ofMachine, ...listed], limits) };
    }
    return known.offers;
  };
}
