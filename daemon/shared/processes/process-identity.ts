import { readFile } from 'node:fs/promises';
import { statFields } from './processes.ts';
import { askSystemTool } from './system-tool.ts';

/**
 * Reads when processes started, to distinguish a process from a later one with the same id. From /proc on Linux, `ps` on macOS,
 * PowerShell on Windows. The texts can only be compared with each other, on one system.
 * @returns the live processes by id; those that ended or cannot be read are omitted
 */
export async function startTimes(pids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (pids.length === 0) return new Map();
  if (process.platform === 'linux') return startTimesInProc(pids);
  return process.platform === 'win32' ? startTimesFromPowerShell(pids) : startTimesFromPs(pids);
}

/** @returns null when the process does not exist */
export async function startTimeOf(pid: number): Promise<string | null> {
  return (await startTimes([pid])).get(pid) ?? null;
}

/**
 * The number of processes and threads started since boot; null where it is not counted. Linux assigns ids in sequence,
 * so an id is reused only after about `maxProcessId` starts.
 */
export async function startedSinceBoot(): Promise<number | null> {
  if (process.platform !== 'linux') return null;
  const count = /^processes (\d+)$/m.exec(await readFile('/proc/stat', 'latin1').catch(() => ''))?.[1];
  return count === undefined ? null : Number(count);
}

/** The highest process id of this system; null where unknown. */
export async function maxProcessId(): Promise<number | null> {
  if (process.platform !== 'linux') return null;
  return Number(await readFile('/proc/sys/kernel/pid_max', 'latin1').catch(() => '')) || null;
}

let boot: Promise<string> | null = null;

async function startTimesInProc(pids: readonly number[]): Promise<Map<number, string>> {
  // Start times count from the boot, so the boot id is part of them.
  boot ??= readFile('/proc/sys/kernel/random/boot_id', 'latin1').catch(() => '');
  const bootId = (await boot).trim();
  const found = await Promise.all(
    pids.map(async (pid): Promise<[number, string][]> => {
      const { 0: state, 19: ticks } = await statFields(pid);
      return ticks === undefined || state === 'Z' || state === 'X' ? [] : [[pid, `${bootId}:${ticks}`]];
    }),
  );
  return new Map(found.flat());
}

async function startTimesFromPs(pids: readonly number[]): Promise<Map<number, string>> {
  // The same text in every language and time zone.
  const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' };
  // It fails when one process has ended, and still lists the others.
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
