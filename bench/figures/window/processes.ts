import { readFile } from 'node:fs/promises';
import { listProcesses } from '../../../daemon/shared/processes/processes.ts';
import { residentMb } from '../../harness/linux-process.ts';
import type { WindowProgram } from './program.ts';

/** The memory of a desktop program by its parts, MB of 1e6 bytes. 0: it has no such part. */
export interface WindowMemory {
  /** Each process counts its share of memory that several use (PSS). */
  readonly main: number;
  readonly browser: number;
  readonly guardian: number;
  /** With all that it shares (RSS). */
  readonly guardianResident: number;
}

export async function memoryOf({ app }: Pick<WindowProgram, 'app'>): Promise<WindowMemory> {
  const main = app.process().pid as number;
  const others = await descendantsOf(main);
  const matching = (pattern: RegExp) => others.filter(({ command }) => pattern.test(command)).map(({ pid }) => pid);
  const guardian = matching(/\/guard\.cjs$/);
  return {
    main: await total([main], sharedMb),
    // The stand-in's browser is a program of its own; Electron's processes name their type.
    browser: await total(matching(/^\S*chrom|--type=/), sharedMb),
    guardian: await total(guardian, sharedMb),
    guardianResident: await total(guardian, residentMb),
  };
}

async function total(pids: readonly number[], of: (pid: number) => Promise<number>): Promise<number> {
  return (await Promise.all(pids.map(of))).reduce((sum, mb) => sum + mb, 0);
}

async function descendantsOf(ancestor: number): Promise<{ pid: number; command: string }[]> {
  const all = await Promise.all(
    (await listProcesses()).map(async ({ pid }) => ({
      pid,
      parent: await parentOf(pid),
      command: await commandOf(pid),
    })),
  );
  const family = new Set([ancestor]);
  for (let before = 0; before < family.size; ) {
    before = family.size; // a parent may be listed after its child
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid);
  }
  return all.filter(({ pid }) => pid !== ancestor && family.has(pid));
}

/** The proportional set size; 0 if the process has just ended. */
async function sharedMb(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return (Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? 0) * 1024) / 1e6;
}

async function commandOf(pid: number): Promise<string> {
  const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return words.split('\0').join(' ').trim();
}

async function parentOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1] ?? 0);
}
