import { availableParallelism, cpus, totalmem } from 'node:os';
import type { GraphicsCard } from '../../contract/compute/graphics-cards.ts';
import { type ComputeOffer, LOCAL_REGION, LOCAL_VENDOR } from './compute-offer.ts';
import type { Gpu } from './nvidia-gpus.ts';

/** The share of memory for models; the system needs the rest. */
const MAX_MEMORY_SHARE = 0.85;
/** Reserved for other programs, the robot's first. */
const RESERVED_BYTES = 1024 ** 3;
/** The share when the available memory is unknown. */
const SHARE_WHEN_UNKNOWN = 2 / 3;
const MAX_GPU_SHARE = 0.9;

/** The machine's resources within this process's limits; memory in bytes. */
export interface Host {
  readonly cpus: number;
  readonly cpuModel: string;
  readonly totalBytes: number;
  /** Available without swapping; null: unknown. */
  readonly availableBytes: number | null;
}

/** A graphics card that models can use; `freeBytes`: of what other programs and other models leave. */
export type FreeCard = Pick<GraphicsCard, 'name' | 'totalBytes' | 'freeBytes' | 'sharesMemory'>;

/**
 * The compute of this machine: its CPUs, and its graphics cards if it has any. Containers may use all of them, a model of
 * llama.cpp the one with the most memory.
 * @param cards those that llama.cpp uses
 * @param gpus those that containers use
 */
export function machineOffers(host: Host, cards: readonly FreeCard[], gpus: readonly Gpu[]): ComputeOffer[] {
  if (cards.length === 0 && gpus.length === 0) return [cpuOffer(host)];
  return [cpuOffer(host), gpuOffer(host, gpus.length > 0 ? gpus : cards, cards)];
}

export function measureHost(): Host {
  // 0, or more than the total: no limit.
  const limit = process.constrainedMemory();
  const totalBytes = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return {
    cpus: availableParallelism(),
    cpuModel: cpus()[0]?.model.trim() || 'CPU',
    totalBytes,
    // macOS counts its caches as used.
    availableBytes: process.platform === 'darwin' ? null : Math.min(process.availableMemory(), totalBytes),
  };
}

export function cpuOffer(host: Host): ComputeOffer {
  return {
    ...local('host', host.cpus, host),
    accelerator: 'cpu',
    architecture: host.cpuModel,
    numAccelerators: 1,
    acceleratorMemoryBytes: null,
    capacityBytes: hostCapacity(host),
    quota: { maxAccelerators: 1, usedAccelerators: 0 },
  };
}

/** The memory that models may take, in bytes. */
export function hostCapacity({ totalBytes, availableBytes }: Host): number {
  if (availableBytes === null) return SHARE_WHEN_UNKNOWN * totalBytes;
  return Math.max(0, Math.min(MAX_MEMORY_SHARE * totalBytes, availableBytes - RESERVED_BYTES));
}

/**
 * @param gpus all GPUs; an engine in a container splits a model across them
 * @param cards those that llama.cpp uses
 */
export function gpuOffer(host: Host, gpus: readonly Gpu[], cards: readonly FreeCard[] = []): ComputeOffer {
  const sum = (bytesOf: (gpu: Gpu) => number) => gpus.reduce((total, gpu) => total + bytesOf(gpu), 0);
  return {
    ...local('host-gpu', gpus.length, host),
    accelerator: 'gpu',
    architecture: [...new Set(gpus.map(({ name }) => name))].join(' + '),
    numAccelerators: gpus.length,
    acceleratorMemoryBytes: sum(({ totalBytes }) => totalBytes),
    // A desktop uses GPU memory too.
    capacityBytes: sum(({ totalBytes, freeBytes }) => Math.min(MAX_GPU_SHARE * totalBytes, freeBytes)),
    quota: { maxAccelerators: gpus.length, usedAccelerators: 0 },
    ...(cards.length > 0 && { card: cardMemory(host, cards) }),
  };
}

/** The card with the most memory, and what the machine adds for layers that do not fit on it. */
function cardMemory(host: Host, cards: readonly FreeCard[]): NonNullable<ComputeOffer['card']> {
  const [largest] = cards.toSorted((a, b) => b.totalBytes - a.totalBytes) as [FreeCard];
  const freeBytes = Math.min(MAX_GPU_SHARE * largest.totalBytes, largest.freeBytes);
  const ofHost = hostCapacity(host);
  // Memory that is shared counts once.
  return largest.sharesMemory
    ? { freeBytes: Math.min(freeBytes, ofHost), hostBytes: 0 }
    : { freeBytes, hostBytes: ofHost };
}

const local = (instanceType: string, size: number, host: Host) =>
  ({
    id: `${LOCAL_VENDOR}-${LOCAL_REGION}-${instanceType}-x${size}`,
    vendor: LOCAL_VENDOR,
    region: LOCAL_REGION,
    instanceType,
    instanceSize: `x${size}`,
    numCpus: host.cpus,
    memoryBytes: host.totalBytes,
    pricePerHour: 0,
    status: 'available',
    hasProvider: true,
    engines: ['llamacpp'],
  }) as const;
