import { readdir, readFile } from 'node:fs/promises';
import { execa } from 'execa';
import { sleepOn, systemClock } from '../clock.ts';
import { askSystemTool } from './system-tool.ts';

/** A live process; zombies are not listed. */
interface ProcessEntry {
  readonly pid: number;
  readonly groupId: number;
}

/** All processes of this machine, from /proc on Linux, else `ps`; empty on Windows, which has no process groups. */
export async function listProcesses(): Promise<ProcessEntry[]> {
  if (process.platform === 'linux') {
    const found = await Promise.all((await processIds()).map(readStat));
    return found.filter((entry) => entry !== null);
  }
  if (process.platform === 'win32') return [];
  return (await ps('-A', '-o', 'pid=,pgid=,stat=')).split('\n').flatMap((line) => {
    const [pid, groupId, state] = line.trim().split(/\s+/);
    return state === undefined || state.startsWith('Z') ? [] : [{ pid: Number(pid), groupId: Number(groupId) }];
  });
}

/** The live members of a process group. */
export async function processesInGroup(groupId: number): Promise<number[]> {
  if (isGroupEmpty(groupId)) return []; // the usual case: avoids listing all processes
  return (await listProcesses()).filter((entry) => entry.groupId === groupId).map((entry) => entry.pid);
}

/**
 * The live processes started with `NAME=value` in their environment. Finds processes that left their group, such as a
 * daemonised grandchild: they keep their environment.
 */
export async function processesWithEnvironment(name: string, value: string): Promise<number[]> {
  const wanted = `${name}=${value}`;
  if (process.platform === 'linux') {
    const matches = await Promise.all(
      (await processIds()).map(async (pid) => {
        const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
        if (!environment.split('\0').includes(wanted)) return null;
        return (await readStat(pid)) === null ? null : pid;
      }),
    );
    return matches.filter((pid) => pid !== null);
  }
  if (process.platform === 'win32') return [];
  const lines = (await ps('-A', '-E', '-ww', '-o', 'pid=,command=')).split('\n');
  return lines.flatMap((line) => (line.split(/\s+/).includes(wanted) ? [Number.parseInt(line, 10)] : []));
}

/**
 * Sends SIGKILL to the processes that `find` returns, repeatedly since they may fork, until it returns none.
 * @returns the killed process ids, and whether none was left at the deadline
 */
export async function killUntilGone(
  find: () => Promise<number[]>,
  deadlineMs: number,
): Promise<{ killed: number[]; gone: boolean }> {
  const killed = new Set<number>();
  const end = systemClock.elapsedMs() + deadlineMs;
  for (;;) {
    const pids = (await find()).filter((pid) => pid !== process.pid);
    if (pids.length === 0) return { killed: [...killed], gone: true };
    if (systemClock.elapsedMs() > end) return { killed: [...killed], gone: false };
    for (const pid of pids) {
      killed.add(pid);
      signalProcess(pid, 'SIGKILL');
    }
    await sleepOn(systemClock, 10);
  }
}

/** Sends a signal to a process, or with a negative id to a group. Ignores one that has ended or belongs to another user (sudo). */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

/** Sends a signal to a process group; on Windows, kills the process and its descendants. */
export function signalGroup(leaderPid: number, signal: NodeJS.Signals): void {
  if (process.platform === 'win32') {
    void askSystemTool('taskkill', ['/PID', String(leaderPid), '/T', '/F']); // fails when it has already ended
  } else {
    signalProcess(-leaderPid, signal);
  }
}

function isGroupEmpty(groupId: number): boolean {
  try {
    process.kill(-groupId, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** @throws ExecaError when it fails, so that a failure does not look like an empty list */
async function ps(...args: readonly string[]): Promise<string> {
  return (await execa('ps', args, { cleanup: false })).stdout;
}

export async function processIds(): Promise<number[]> {
  return (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
}

async function readStat(pid: number): Promise<ProcessEntry | null> {
  const [state, , groupId] = await statFields(pid);
  return groupId === undefined || state === 'Z' || state === 'X' ? null : { pid, groupId: Number(groupId) };
}

/**
 * The fields of /proc/<pid>/stat from the state on, which is field 3 of proc_pid_stat(5): the name before it, in parentheses,
 * may contain anything. Empty texts, or none, when the process has ended.
 */
export async function statFields(pid: number): Promise<readonly string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
