import { readFile } from 'node:fs/promises';
import { processesInGroup } from './processes.ts';
import { askSystemTool } from './system-tool.ts';

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
