import { readFile } from 'node:fs/promises';
import { askSystemTool } from './system-tool.ts';

/**
 * When processes started, as the kernel keeps it: with it a process is told from a later one that got the same number.
 * /proc on Linux, `ps` on macOS, PowerShell on Windows. Texts to be compared with one another, on one system only.
 * @returns those that live; what is gone, or cannot be looked at, is left out
 */
export async function startTimes(pids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (pids.length === 0) return new Map();
  if (process.platform === 'linux') return startTimesInProc(pids);
  return process.platform === 'win32' ? startTimesFromPowerShell(pids) : startTimesFromPs(pids);
}

/** @returns null when there is no such process */
export async function startTimeOf(pid: number): Promise<string | null> {
  return (await startTimes([pid])).get(pid) ?? null;
}

/**
 * How many processes and threads this machine has started since it was; null where that is not counted. Numbers are
 * given out in turn, so one comes back only after about as many as there are.
 */
export async function startedSinceBoot(): Promise<number | null> {
  if (process.platform !== 'linux') return null;
  const count = /^processes (\d+)$/m.exec(await readFile('/proc/stat', 'latin1').catch(() => ''))?.[1];
  return count === undefined ? null : Number(count);
}

/** After how many starts a process number may come back; null where that is not known. */
export async function processNumbers(): Promise<number | null> {
  if (process.platform !== 'linux') return null;
  return Number(await readFile('/proc/sys/kernel/pid_max', 'latin1').catch(() => '')) || null;
}

let boot: Promise<string> | null = null;

async function startTimesInProc(pids: readonly number[]): Promise<Map<number, string>> {
  // Counted from the boot, so that only both together are a moment.
  boot ??= readFile('/proc/sys/kernel/random/boot_id', 'latin1').then(
    (id) => id.trim(),
    () => '',
  );
  const bootId = await boot;
  const found = await Promise.all(
    pids.map(async (pid): Promise<[number, string][]> => {
      const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => null);
      // The name in parentheses may hold anything: counted from the last one, the state is first, the start 20th.
      const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
      const [state, ticks] = [fields[0], fields[19]];
      return ticks === undefined || state === 'Z' || state === 'X' ? [] : [[pid, `${bootId}:${ticks}`]];
    }),
  );
  return new Map(found.flat());
}

async function startTimesFromPs(pids: readonly number[]): Promise<Map<number, string>> {
  // The same text whatever language and time zone the user turns to meanwhile.
  const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' };
  // It fails when one of them is gone, and tells of the others all the same.
  const stdout = await askSystemTool('ps', ['-o', 'pid=,stat=,lstart=', '-p', pids.join(',')], { env });
  return new Map(
    stdout.split('\n').flatMap((line): [number, string][] => {
      const [pid, state, ...start] = line.trim().split(/\s+/);
      return start.length === 0 || state?.startsWith('Z') ? [] : [[Number(pid), start.join(' ')]];
    }),
  );
}

async function startTimesFromPowerShell(pids: readonly number[]): Promise<Map<number, string>> {
  const script = `Get-Process -Id ${pids.join(',')} -ErrorAction SilentlyContinue | ForEach-Object { "$($_.Id) $($_.StartTime.ToFileTimeUtc())" }`;
  const stdout = await askSystemTool('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script]);
  return new Map(
    stdout.split('\n').flatMap((line): [number, string][] => {
      const [pid, start] = line.trim().split(' ');
      return start ? [[Number(pid), start]] : [];
    }),
  );
}
