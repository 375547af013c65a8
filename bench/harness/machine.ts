import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import { execa } from 'execa';
import { chromiumProgram } from './chromium.ts';
import { systemPython } from './python.ts';

/** The machine on which the figures are measured; null: unknown. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly os: string;
  readonly node: string;
  readonly python: string | null;
  readonly chromium: string | null;
  /** The load average of the last minute: above the number of cores, the figures are noisy. */
  readonly loadAtStart: number;
}

export async function describeMachine(): Promise<Machine> {
  const [python, chromium] = await Promise.all([
    systemPython().catch(() => null),
    execa(chromiumProgram, ['--version']).catch(() => null),
  ]);
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Number((totalmem() / 1e9).toFixed(1)),
    os: `${type()} ${release()}`,
    node: process.versions.node,
    python: python?.version ?? null,
    chromium: chromium?.stdout.trim() ?? null,
    loadAtStart: loadavg()[0] ?? 0,
  };
}
