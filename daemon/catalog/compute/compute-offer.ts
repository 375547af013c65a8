import type { Accelerator } from '../../contract/catalog/catalog.ts';
import type { OfferStatus } from '../../contract/compute/hardware.ts';

/** The vendor of the machine that the daemon runs on. */
export const LOCAL_VENDOR = 'local';
export const LOCAL_REGION = 'this-machine';

/** Compute that can be had somewhere, as vendors list it. Memory in bytes; no two have the same id. */
export interface ComputeOffer {
  readonly id: string;
  readonly vendor: string;
  readonly region: string;
  readonly accelerator: Accelerator;
  readonly instanceType: string;
  readonly instanceSize: string;
  /** What it is, for a person. */
  readonly architecture: string;
  /** 1 where the accelerator is a CPU. */
  readonly numAccelerators: number;
  readonly numCpus: number | null;
  /** Of the host; null: not told. */
  readonly memoryBytes: number | null;
  /** Of all its accelerators together; null: it has none. */
  readonly acceleratorMemoryBytes: number | null;
  /** What a model may take of it at most: a share of one of the two above. */
  readonly capacityBytes: number;
  /** US dollars. */
  readonly pricePerHour: number;
  readonly status: OfferStatus;
  readonly quota: { readonly maxAccelerators: number; readonly usedAccelerators: number };
  /** A configured provider can create there. */
  readonly hasProvider: boolean;
  /** What the provider can run there; null: everything. */
  readonly engines: readonly string[] | null;
}

/** A vendor that lists it no more, or has none of it now, creates nothing there. */
export const isDeployable = ({ status }: ComputeOffer): boolean =>
  status !== 'deprecated' && status !== 'not_available';
