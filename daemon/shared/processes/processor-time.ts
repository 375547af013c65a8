import { readFile } from 'node:fs/promises';
import { askSystemTool } from './system-tool.ts';

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
