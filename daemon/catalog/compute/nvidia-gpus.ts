import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { CommandFailed, runCommand } from '../../shared/processes/run-command.ts';

const MiB = 1024 ** 2;
/** Where the driver has to be loaded first, it takes seconds. */
const ANSWER_WITHIN_MS = 8_000;
const QUESTION = ['--query-gpu=name,memory.total,memory.free', '--format=csv,noheader,nounits'];

/** A graphics processor; memory in bytes. */
export interface Gpu {
  readonly name: string;
  readonly totalBytes: number;
  readonly freeBytes: number;
}

/**
 * Asks the driver's own tool; where it is not there, does not answer in time or complains, there is none to use.
 * @param env the whole environment of the tool, PATH in it
 */
export async function findNvidiaGpus(
  env: Readonly<Record<string, string>>,
  deadlineMs: number = ANSWER_WITHIN_MS,
): Promise<Gpu[]> {
  const tool = await onPath(process.platform === 'win32' ? 'nvidia-smi.exe' : 'nvidia-smi', env);
  if (tool === null) return [];
  try {
    return gpusIn(await runCommand(tool, QUESTION, { env, deadlineMs }));
  } catch (error) {
    if (error instanceof CommandFailed) return [];
    throw error;
  }
}

/**
 * One line a processor, its memory in MiB: `NVIDIA GeForce RTX 4090, 24564, 23999`. One that does not tell its memory,
 * as it shares the host's or its driver does not know, is left out.
 */
export function gpusIn(lines: readonly string[]): Gpu[] {
  return lines.flatMap((line) => {
    const told = /^(?<name>.+), (?<total>\d+), (?<free>\d+)$/.exec(line.trim())?.groups;
    if (told === undefined) return [];
    const [totalBytes, freeBytes] = [Number(told['total']) * MiB, Number(told['free']) * MiB];
    return totalBytes > 0 ? [{ name: told['name'] ?? '', totalBytes, freeBytes }] : [];
  });
}

/** Looked for first, as running what is not there costs the start of the daemon more. */
async function onPath(program: string, env: Readonly<Record<string, string>>): Promise<string | null> {
  const [, path = ''] = Object.entries(env).find(([name]) => name.toUpperCase() === 'PATH') ?? [];
  for (const folder of path.split(delimiter).filter((name) => name !== '')) {
    const file = join(folder, program);
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return null;
}
