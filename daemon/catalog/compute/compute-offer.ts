import type { Accelerator, EngineType } from '../../contract/catalog/catalog.ts';
import type { OfferStatus } from '../../contract/compute/hardware.ts';

/** The vendor of the machine that the daemon runs on. */
export const LOCAL_VENDOR = 'local';
export const LOCAL_REGION = 'this-machine';

/** Compute that a vendor offers. Memory is in bytes; ids are unique. */
export interface ComputeOffer {
  readonly id: string;
  readonly vendor: string;
  readonly region: string;
  readonly accelerator: Accelerator;
  readonly instanceType: string;
  readonly instanceSize: string;
  /** A description for people. */
  readonly architecture: string;
  /** 1 when the accelerator is a CPU. */
  readonly numAccelerators: number;
  readonly numCpus: number | null;
  /** The host's memory; null: unknown. */
  readonly memoryBytes: number | null;
  /** The sum of its accelerators' memory; null: no accelerator memory. */
  readonly acceleratorMemoryBytes: number | null;
  /** The most that a model may use: a share of one of the two above. */
  readonly capacityBytes: number;
  /** Of this machine's graphics cards, for models of llama.cpp. Absent: they use none but in containers. */
  readonly card?: CardMemory;
  /** US dollars. */
  readonly pricePerHour: number;
  readonly status: OfferStatus;
  readonly quota: { readonly maxAccelerators: number; readonly usedAccelerators: number };
  /** Whether a configured provider can create endpoints on it. */
  readonly hasProvider: boolean;
  /** The engines that the provider can run; null: every engine. */
  readonly engines: readonly EngineType[] | null;
  /** Missing programs for recipes of its engines; absent: none is known to be missing. */
  readonly lacks?: Lacks;
}

/** The memory for a model that one graphics card computes, in bytes. */
export interface CardMemory {
  /** Free on the card. */
  readonly freeBytes: number;
  /** Of the machine, for the layers that do not fit on the card; 0: the card shares the memory of the machine. */
  readonly hostBytes: number;
}

/** The programs that a machine lacks. */
export interface Lacks {
  /** By engine; one that is not in it lacks nothing. */
  readonly engines: Readonly<Partial<Record<EngineType, Lack>>>;
  /** To read images with llama.cpp; null: nothing. */
  readonly vision: Lack | null;
}

export interface Lack {
  /** Why, and what to do, for a person. */
  readonly sentence: string;
  /** Whether the daemon can install a program that lifts it. */
  readonly canInstall: boolean;
}

/** Nothing can be created on a deprecated or unavailable offer. */
export const isDeployable = ({ status }: ComputeOffer): boolean =>
  status !== 'deprecated' && status !== 'not_available';

/** The engines by their names for people. A container of the user's own has none. */
export const engineNames: Readonly<Record<Exclude<EngineType, 'custom'>, string>> = {
  llamacpp: 'llama.cpp',
  sglang: 'SGLang',
  tei: 'TEI',
  vllm: 'vLLM',
  vllmNeuron: 'vLLM for Neuron',
  vllmOmni: 'vLLM-Omni',
};

/** Compares ids, which are ASCII only, by their bytes. */
export const byId = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
