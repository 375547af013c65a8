import { readdir, readFile } from 'node:fs/promises';
import { NotMeasurable } from './figure.ts';

/** @throws NotMeasurable where there is no /proc */
export function requireProc(): void {
  if (process.platform !== 'linux')
    throw new NotMeasurable('Memory and CPU time are read from /proc, which only Linux has.');
}

/** The resident memory of a process, with shared libraries, in MB of 1e6 bytes. */
export async function residentMb(pid: number): Promise<number> {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1];
  return (Number(kibibytes) * 1024) / 1e6;
}

/** The CPU time of all threads of a process, in milliseconds, with nanosecond precision, unlike /proc/<pid>/stat. */
export async function cpuMs(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`);
  const stats = await Promise.all(threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')));
  return stats.reduce((sum, stat) => sum + Number(stat.split(' ')[0]), 0) / 1e6;
}
