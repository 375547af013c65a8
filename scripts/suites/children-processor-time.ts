import { readFileSync } from 'node:fs';

const USER_HZ = 100; // the unit of times in /proc/<pid>/stat, see proc_pid_stat(5)

/** @returns the processor time in seconds of all descendants that have ended and were waited for; 0 on other systems than Linux */
export function childrenProcessorS(): number {
  if (process.platform !== 'linux') return 0;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // The name of the program, in parentheses, may contain spaces; field 3 follows it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [cutime, cstime] = fields.slice(13, 15);
  return (Number(cutime) + Number(cstime)) / USER_HZ;
}
