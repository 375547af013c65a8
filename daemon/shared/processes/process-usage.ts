import { readFile } from 'node:fs/promises';
import { processesInGroup } from './processes.ts';
import { askSystemTool } from './system-tool.ts';

/**
 * The memory that processes have resident, in bytes, summed up: from /proc on Linux, from `ps` on macOS. Shared pages
 * count once for each process, and a file that is mapped into memory counts as far as it is resident.
 * @returns null when none of the processes lives, and on Windows
 */
export async function residentBytes(pids: readonly number[]): Promise<number | null> {
  if (pids.length === 0 || process.platform === 'win32') return null;
  const sizes = process.platform === 'linux' ? await Promise.all(pids.map(residentInProc)) : await residentInPs(pids);
  const known = sizes.filter((size) => size !== null);
  return known.length === 0 ? null : known.reduce((total, size) => total + size, 0) * 1024;
}

/** In KiB; null: it has ended. */
async function residentInProc(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '');
  const size = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return size === undefined ? null : Number(size);
}

async function residentInPs(pids: readonly number[]): Promise<number[]> {
  const stdout = await askSystemTool('ps', ['-o', 'rss=', '-p', pids.join(',')]);
  return stdout.split('\n').flatMap((line) => (line.trim() === '' ? [] : [Number(line)]));
}

/** Clock ticks a second in /proc, USER_HZ: 100 on every architecture that Node runs on (man 5 proc). */
const TICKS_PER_SECOND = 100;

/**
 * The processor time that processes have used since their starts, in seconds, summed up over their threads: from /proc on
 * Linux, from `ps` on macOS. Processes that ended are not in it.
 * @returns null when none of the processes lives, and on Windows
 */
export async function processorSeconds(pids: readonly number[]): Promise<number | null> {
  if (pids.length === 0 || process.platform === 'win32') return null;
  const times = process.platform === 'linux' ? await Promise.all(pids.map(secondsInProc)) : await secondsInPs(pids);
  const known = times.filter((seconds) => seconds !== null);
  return known.length === 0 ? null : known.reduce((total, seconds) => total + seconds, 0);
}

/** @returns null: it has ended */
async function secondsInProc(pid: number): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  // The name of the program, in parentheses, may hold spaces; utime and stime are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  return Number.isNaN(ticks) ? null : ticks / TICKS_PER_SECOND;
}

async function secondsInPs(pids: readonly number[]): Promise<number[]> {
  const stdout = await askSystemTool('ps', ['-o', 'time=', '-p', pids.join(',')]);
  return stdout.split('\n').flatMap((line) => (line.trim() === '' ? [] : [secondsOf(line.trim())]));
}

/** @param time as `ps` writes it: `[[days-]hours:]minutes:seconds` */
export function secondsOf(time: string): number {
  const [clock = '', days = '0'] = time.split('-').toReversed();
  return clock.split(':').reduce((total, part) => 60 * total + Number(part), 0) + 86_400 * Number(days);
}

/** A question to PowerShell: the id, the parent's id and the private bytes of each process. */
const WINDOWS_QUERY =
  'Get-CimInstance Win32_Process | ForEach-Object { "$($_.ProcessId) $($_.ParentProcessId) $($_.PrivatePageCount)" }';

/**
 * The memory that a process and its children have for themselves, in bytes: on Linux without pages of mapped files, which
 * the system takes back when it needs them, and with swapped pages; on macOS what its group has resident; on Windows the
 * private bytes of its descendants.
 * @param leaderPid a process that leads its own group
 * @returns null when it has ended, or the system does not say
 */
export async function groupMemory(leaderPid: number): Promise<number | null> {
  switch (process.platform) {
    case 'linux': {
      const sizes = await Promise.all((await processesInGroup(leaderPid)).map(ownMemory));
      return sizes.length === 0 ? null : sum(sizes);
    }
    case 'win32':
      return memoryOfTree(
        leaderPid,
        await askSystemTool('powershell', ['-NoProfile', '-NonInteractive', '-Command', WINDOWS_QUERY]),
      );
    default:
      return memoryOfGroup(leaderPid, await askSystemTool('ps', ['-A', '-o', 'pgid=,rss=']));
  }
}

async function ownMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '');
  const kilobytes = [...status.matchAll(/^(?:RssAnon|RssShmem|VmSwap):\s+(\d+) kB$/gm)].map(([, size]) => Number(size));
  return sum(kilobytes) * 1024;
}

/** @param listed lines of a group's id and a size in KiB */
export function memoryOfGroup(groupId: number, listed: string): number | null {
  const sizes = rowsOf(listed).flatMap(([group, size = 0]) => (group === groupId ? [size * 1024] : []));
  return sizes.length === 0 ? null : sum(sizes);
}

/** @param listed lines of a process's id, its parent's, and a size in bytes */
export function memoryOfTree(rootId: number, listed: string): number | null {
  const rows = rowsOf(listed);
  const tree = new Set([rootId]);
  // A set grows while it is walked: children of children are found too.
  for (const parent of tree) for (const [id = 0, of] of rows) if (of === parent && id !== 0) tree.add(id);
  const sizes = rows.flatMap(([id = 0, , size = 0]) => (tree.has(id) ? [size] : []));
  return sizes.length === 0 ? null : sum(sizes);
}

const rowsOf = (listed: string) =>
  listed
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.trim().split(/\s+/).map(Number));

const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);
