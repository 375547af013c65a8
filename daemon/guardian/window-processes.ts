import { readFile, readlink } from 'node:fs/promises';
import { killUntilGone, processIds, statFields } from '../shared/processes/processes.ts';

export interface ProgramProcess {
  readonly pid: number;
  readonly parent: number;
  /** Whether it was started for a browser, such as its network service, and is no instance of the program. */
  readonly isPart: boolean;
}

/**
 * Finds the parts of a browser that lost it: one that aborts while it replaces a part leaves that part running.
 * @param all the processes of the program; other instances of it may be among them
 */
export function orphanedParts(all: readonly ProgramProcess[]): number[] {
  const byPid = new Map(all.map((each) => [each.pid, each]));
  const isOrphaned = ({ isPart, parent }: ProgramProcess): boolean => {
    const above = byPid.get(parent);
    return isPart && (above === undefined || isOrphaned(above));
  };
  return all.filter(isOrphaned).map(({ pid }) => pid);
}

/**
 * Ends what Electron left of itself when it crashed. On Linux: it has not been seen elsewhere.
 * @param program the file of the program that hosted the daemon
 * @returns whether nothing is left at the deadline
 */
export async function endWindowProcesses(program: string, deadlineMs: number): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  const { gone } = await killUntilGone(async () => orphanedParts(await processesOf(program)), deadlineMs);
  return gone;
}

async function processesOf(program: string): Promise<ProgramProcess[]> {
  const pids = await processIds();
  const found = await Promise.all(pids.map((pid) => readProcess(pid, program).catch(() => null)));
  return found.filter((each) => each !== null);
}

/** Added by Linux to the path of a file that an update has replaced. */
const REPLACED = / \(deleted\)$/;

/** @returns null for a process of another program. @throws the system's error when it has ended or is another user's */
async function readProcess(pid: number, program: string): Promise<ProgramProcess | null> {
  if ((await readlink(`/proc/${pid}/exe`)).replace(REPLACED, '') !== program) return null;
  const [arguments_, [, parent]] = await Promise.all([readFile(`/proc/${pid}/cmdline`, 'latin1'), statFields(pid)]);
  if (parent === undefined) return null;
  // Chromium separates the arguments of some of its processes by spaces.
  return { pid, parent: Number(parent), isPart: /[\0 ]--type=/.test(arguments_) };
}
