import type { ContainerStats } from 'dockerode';
import { expect, test } from 'vitest';
import { usageOf } from './container-usage.ts';

const stats = (memory: object) =>
  ({ memory_stats: memory, cpu_stats: { cpu_usage: { total_usage: 2_500_000_000 } } }) as unknown as ContainerStats;

test.each([
  ['control groups 2', { usage: 900, stats: { inactive_file: 300 } }, 600],
  ['control groups 1', { usage: 900, stats: { total_inactive_file: 200, inactive_file: 100 } }, 700],
  ['Podman', { usage: 900 }, 900],
  ['a container that has ended', {}, null],
])('memory as reported by %s is without the cache of files', (_, memory, memoryBytes) => {
  expect(usageOf(stats(memory))).toEqual({ memoryBytes, cpuSeconds: 2.5 });
});
