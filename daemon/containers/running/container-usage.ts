import type { ContainerStats } from 'dockerode';

/** Memory in bytes, and processor time in seconds since the start of a container; null: unknown. */
export interface ContainerUsage {
  readonly memoryBytes: number | null;
  readonly cpuSeconds: number | null;
}

/**
 * Reads the statistics of an engine. Files in the cache of the system are not counted, as by its own command; Podman has
 * left them out itself, or cannot say (`EngineFacts.countsFiles`).
 */
export function usageOf({ memory_stats: memory, cpu_stats: cpu }: Partial<ContainerStats>): ContainerUsage {
  const { usage, stats } = (memory ?? {}) as { usage?: number; stats?: Record<string, number> };
  const cache = stats?.['total_inactive_file'] ?? stats?.['inactive_file'] ?? 0; // cgroup 1, 2
  const nanoseconds = cpu?.cpu_usage?.total_usage;
  return {
    memoryBytes: usage === undefined || usage === 0 ? null : Math.max(0, usage - cache),
    cpuSeconds: nanoseconds === undefined ? null : nanoseconds / 1e9,
  };
}
