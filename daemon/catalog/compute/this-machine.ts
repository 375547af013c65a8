import { availableParallelism, cpus, totalmem } from 'node:os';
import type { ComputeAccelerator } from '../../contract/compute/endpoint-compute.ts';
import { type ComputeOffer, LOCAL_REGION, LOCAL_VENDOR } from './compute-offer.ts';
import { findNvidiaGpus, type Gpu } from './nvidia-gpus.ts';

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

/**
 * Measures the compute of this machine: its CPUs, and its GPUs if it has any.
 * @param env the environment of the tool that lists the GPUs
 */
export async function measureThisMachine(env: Readonly<Record<string, string>>): Promise<ComputeOffer[]> {
  const host = measureHost();
  const gpus = await findNvidiaGpus(env);
  return gpus.length === 0 ? [cpuOffer(host)] : [cpuOffer(host), gpuOffer(host, gpus)];
}

/** The memory that models may take now, on the processors or on the graphics cards, in bytes. @param env as for the list of GPUs */
export async function modelCapacity(
  accelerator: ComputeAccelerator,
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const host = measureHost();
  return accelerator === 'cpu' ? hostCapacity(host) : gpuOffer(host, await findNvidiaGpus(env)).capacityBytes;
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

/** @param gpus all GPUs; the engine splits a model across them */
export function gpuOffer(host: Host, gpus: readonly Gpu[]): ComputeOffer {
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
  };
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
