import { programOnPath } from '../../shared/files/program-on-path.ts';
import { CommandFailed, runCommand } from '../../shared/processes/run-command.ts';

const MiB = 1024 ** 2;
/** Loading the driver takes seconds. */
const DEADLINE_MS = 8_000;

/** A graphics processor; memory in bytes. */
export interface Gpu {
  readonly name: string;
  readonly totalBytes: number;
  readonly freeBytes: number;
}

/**
 * Lists the GPUs that `nvidia-smi` reports. Without the tool, or when it fails or misses the deadline, the list is empty.
 * @param env the tool's complete environment, with PATH
 */
export async function findNvidiaGpus(
  env: Readonly<Record<string, string>>,
  deadlineMs: number = DEADLINE_MS,
): Promise<Gpu[]> {
  return gpusIn(await askTool('name,memory.total,memory.free', env, deadlineMs));
}

/**
 * The percent of the time in which each GPU computed, as `nvidia-smi` reports it for the last second.
 * @returns those that tell; none without the tool, or when it fails or misses the deadline
 */
export async function nvidiaUsage(
  env: Readonly<Record<string, string>>,
  deadlineMs: number = DEADLINE_MS,
): Promise<{ readonly name: string; readonly percent: number }[]> {
  const lines = await askTool('name,utilization.gpu', env, deadlineMs);
  return lines.flatMap((line) => {
    const { name, percent } = /^(?<name>.+), (?<percent>\d{1,3})$/.exec(line.trim())?.groups ?? {};
    return name === undefined ? [] : [{ name, percent: Number(percent) }];
  });
}

/** The lines of `nvidia-smi`, one for each GPU; none without the tool, or when it fails or misses the deadline. */
async function askTool(query: string, env: Readonly<Record<string, string>>, deadlineMs: number): Promise<string[]> {
  const [, path = ''] = Object.entries(env).find(([name]) => name.toUpperCase() === 'PATH') ?? [];
  // A look for the file delays the daemon's start less than running a missing program.
  const tool = await programOnPath('nvidia-smi', path, process.platform);
  if (tool === null) return [];
  try {
    return await runCommand(tool, [`--query-gpu=${query}`, '--format=csv,noheader,nounits'], { env, deadlineMs });
  } catch (error) {
    if (error instanceof CommandFailed) return [];
    throw error;
  }
}

/**
 * Parses a line for each processor, its memory in MiB: `NVIDIA GeForce RTX 4090, 24564, 23999`. A processor without a
 * memory size is omitted: it shares the host's memory, or its driver does not know the size.
 */
export function gpusIn(lines: readonly string[]): Gpu[] {
  return lines.flatMap((line) => {
    const fields = /^(?<name>.+), (?<total>\d+), (?<free>\d+)$/.exec(line.trim())?.groups;
    if (fields === undefined) return [];
    const [totalBytes, freeBytes] = [Number(fields['total']) * MiB, Number(fields['free']) * MiB];
    return totalBytes > 0 ? [{ name: fields['name'] ?? '', totalBytes, freeBytes }] : [];
  });
}
