import { availableParallelism, cpus, totalmem } from 'node:os';
import { type ComputeOffer, LOCAL_REGION, LOCAL_VENDOR } from './compute-offer.ts';
import { findNvidiaGpus, type Gpu } from './nvidia-gpus.ts';

/** What the system keeps for itself, however much there is. */
const MOST_OF_MEMORY = 0.85;
/** Left to all else that runs here, the robot first. */
const LEFT_FREE_BYTES = 1024 ** 3;
/** Where the system does not tell how much could be had. */
const SHARE_WHEN_NOT_TOLD = 2 / 3;
const MOST_OF_GPU = 0.9;

/** What the machine has, within the limits that are set for this process; memory in bytes. */
export interface Host {
  readonly cpus: number;
  readonly cpuModel: string;
  readonly totalBytes: number;
  /** What could be had of it without pushing anything out; null: not told. */
  readonly availableBytes: number | null;
}

/**
 * What this machine can serve models with now: its CPUs, and its graphics processors where there are some.
 * @param env for the tool that knows the graphics processors
 */
export async function measureThisMachine(env: Readonly<Record<string, string>>): Promise<ComputeOffer[]> {
  const host = measureHost();
  const gpus = await findNvidiaGpus(env);
  return gpus.length === 0 ? [cpuOffer(host)] : [cpuOffer(host), gpuOffer(host, gpus)];
}

export function measureHost(): Host {
  // 0 or more than there is: no limit is set.
  const limit = process.constrainedMemory();
  const totalBytes = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return {
    cpus: availableParallelism(),
    cpuModel: cpus()[0]?.model.trim() || 'CPU',
    totalBytes,
    // macOS counts as taken what it only keeps for later.
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

function hostCapacity({ totalBytes, availableBytes }: Host): number {
  if (availableBytes === null) return SHARE_WHEN_NOT_TOLD * totalBytes;
  return Math.max(0, Math.min(MOST_OF_MEMORY * totalBytes, availableBytes - LEFT_FREE_BYTES));
}

/** @param gpus all of them, which the engine splits a model over */
export function gpuOffer(host: Host, gpus: readonly Gpu[]): ComputeOffer {
  const sum = (bytesOf: (gpu: Gpu) => number) => gpus.reduce((total, gpu) => total + bytesOf(gpu), 0);
  return {
    ...local('host-gpu', gpus.length, host),
    accelerator: 'gpu',
    architecture: [...new Set(gpus.map(({ name }) => name))].join(' + '),
    numAccelerators: gpus.length,
    acceleratorMemoryBytes: sum(({ totalBytes }) => totalBytes),
    // A desktop draws with it too.
    capacityBytes: sum(({ totalBytes, freeBytes }) => Math.min(MOST_OF_GPU * totalBytes, freeBytes)),
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
