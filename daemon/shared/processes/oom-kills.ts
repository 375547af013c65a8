import { readFile } from 'node:fs/promises';

/**
 * The number of processes that the kernel has ended for want of memory since the machine's start, in containers too; null
 * where no file tells. Source: `oom_kill` in /proc/vmstat, since Linux 4.13.
 */
export async function oomKills(file = '/proc/vmstat'): Promise<number | null> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const count = /^oom_kill (\d+)$/m.exec(text)?.[1];
  return count === undefined ? null : Number(count);
}
