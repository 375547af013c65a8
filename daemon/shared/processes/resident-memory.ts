import { readFile } from 'node:fs/promises';
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
