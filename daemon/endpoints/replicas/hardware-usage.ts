import type { ComputeAccelerator } from '../../contract/compute/endpoint-compute.ts';
import type { KeptReplica } from './replica/replica-keeper.ts';

/**
 * Percent of the hardware that replicas use together: of the processors that they may use, or of the graphics cards.
 * @param threads the most CPU threads that each may use; they are the same for all
 * @returns null: it is not known on this machine
 */
export async function hardwareUsage(
  accelerator: ComputeAccelerator,
  { replicas, threads }: { readonly replicas: readonly KeptReplica[]; readonly threads: number },
  gpuUsage: () => Promise<number | null>,
): Promise<number | null> {
  if (accelerator === 'gpu') return gpuUsage();
  const ready = replicas.filter(({ state }) => state === 'ready');
  const known = (await Promise.all(ready.map(({ processor }) => processor.percent()))).filter((one) => one !== null);
  if (known.length === 0) return null;
  return known.reduce((sum, percent) => sum + percent, 0) / threads;
}
