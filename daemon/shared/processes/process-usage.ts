import { readFile } from 'node:fs/promises';
import { processesInGroup, statFields } from './processes.ts';
import { askSystemTool } from './system-tool.ts';

/** Clock ticks a second in /proc, USER_HZ: 100 on every architecture that Node runs on (man 5 proc). */
const TICKS_PER_SECOND = 100;

/** A question to PowerShell: the id, the parent's id and the private bytes of each process. */
const WINDOWS_QUERY =
  'Get-CimInstance Win32_Process | ForEach-Object { "$($_.ProcessId) $($_.ParentProcessId) $($_.PrivatePageCount)" }';

/**
 * The memory that processes have resident, in bytes, summed up: from /proc on Linux, from `ps` on macOS. Shared pages
 * count once for each process, and a file that is mapped into memory counts as far as it is resident.
 * @returns null when none of the processes lives, and on Windows
 */
export function residentBytes(pids: readonly number[]): Promise<number | null> {
  return summedUp(
    pids,
    async (pid) => (await sizesIn(pid, /^VmRSS:\s+(\d+) kB$/gm))[0],
    'rss',
    (size) => 1024 * Number(size),
  );
}

/**
 * The processor time that processes have used since their starts, in seconds, summed up over their threads: from /proc on
 * Linux, from `ps` on macOS. Processes that ended are not in it.
 * @returns null when none of the processes lives, and on Windows
 */
export function processorSeconds(pids: readonly number[]): Promise<number | null> {
  return summedUp(pids, secondsInProc, 'time', secondsOf);
}

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
      const own = async (pid: number) => sum(await sizesIn(pid, /^(?:RssAnon|RssShmem|VmSwap):\s+(\d+) kB$/gm)) ?? 0;
      return sum(await Promise.all((await processesInGroup(leaderPid)).map(own)));
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

/** @param inProc a number of a live process; undefined: it has ended  @param column of `ps`, whose texts `parse` reads */
async function summedUp(
  pids: readonly number[],
  inProc: (pid: number) => Promise<number | undefined>,
  column: string,
  parse: (text: string) => number,
): Promise<number | null> {
  if (pids.length === 0 || process.platform === 'win32') return null;
  if (process.platform === 'linux') {
    return sum((await Promise.all(pids.map(inProc))).filter((each) => each !== undefined));
  }
  return sum(linesOf(await askSystemTool('ps', ['-o', `${column}=`, '-p', pids.join(',')])).map(parse));
}

/** Sizes in the status of a process, in bytes. */
async function sizesIn(pid: number, pattern: RegExp): Promise<number[]> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '');
  return [...status.matchAll(pattern)].map(([, size]) => 1024 * Number(size));
}

async function secondsInProc(pid: number): Promise<number | undefined> {
  const { 11: userTicks, 12: systemTicks } = await statFields(pid);
  return systemTicks === undefined ? undefined : (Number(userTicks) + Number(systemTicks)) / TICKS_PER_SECOND;
}

/** @param time as `ps` writes it: `[[days-]hours:]minutes:seconds` */
export function secondsOf(time: string): number {
  const [clock = '', days = '0'] = time.split('-').toReversed();
  return clock.split(':').reduce((total, part) => 60 * total + Number(part), 0) + 86_400 * Number(days);
}

/** @param listed lines of a group's id and a size in KiB */
export function memoryOfGroup(groupId: number, listed: string): number | null {
  return sum(rowsOf(listed).flatMap(([group, size = 0]) => (group === groupId ? [size * 1024] : [])));
}

/** @param listed lines of a process's id, its parent's, and a size in bytes */
export function memoryOfTree(rootId: number, listed: string): number | null {
  const rows = rowsOf(listed);
  const tree = new Set([rootId]);
  // A set grows while it is walked: children of children are found too.
  for (const parent of tree) for (const [id = 0, of] of rows) if (of === parent && id !== 0) tree.add(id);
  return sum(rows.flatMap(([id = 0, , size = 0]) => (tree.has(id) ? [size] : [])));
}

const linesOf = (listed: string) =>
  listed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const rowsOf = (listed: string) => linesOf(listed).map((line) => line.split(/\s+/).map(Number));

/** @returns null for none */
const sum = (sizes: readonly number[]) => (sizes.length === 0 ? null : sizes.reduce((total, size) => total + size, 0));
