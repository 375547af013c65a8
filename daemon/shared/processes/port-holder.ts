import { readdir, readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { holdsSocket, tcpRows } from './proc-sockets.ts';
import { askSystemTool } from './system-tool.ts';

/** Whether `portHolder` finds all of this user's processes: where it finds none, the port is another user's. */
export const knowsPortHolders = process.platform === 'linux' || process.platform === 'darwin';

/** A process that listens on a port of this machine. */
export interface PortHolder {
  readonly pid: number;
  /** The name of its program, `python3`. */
  readonly name: string;
}

/**
 * Finds the process that listens on a TCP port: in /proc on Linux, by `lsof` on macOS.
 * @returns null when none does, or when it cannot be determined: another user's process, Windows
 */
export async function portHolder(port: number): Promise<PortHolder | null> {
  if (process.platform === 'linux') return holderInProc(port);
  if (process.platform === 'win32') return null;
  const args = ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc'];
  const stdout = await askSystemTool('lsof', args, { timeoutMs: 2_000 });
  const pid = /^p(\d+)$/m.exec(stdout)?.[1];
  return pid === undefined ? null : { pid: Number(pid), name: /^c(.*)$/m.exec(stdout)?.[1] ?? '' };
}

async function holderInProc(port: number): Promise<PortHolder | null> {
  const rows = await tcpRows();
  const sockets = new Set(rows.filter((row) => row.listens && row.localPort === port).map(({ inode }) => inode));
  if (sockets.size === 0) return null;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const holders = await Promise.all(pids.map((pid) => holdsSocket(pid, sockets)));
  const pid = pids.find((_, index) => holders[index]);
  if (pid === undefined) return null;
  return { pid: Number(pid), name: await programOf(pid) };
}

/** The name of a process's program, from /proc; empty where it cannot be read. Not `comm`: programs such as Node rename their threads. */
export async function programOf(pid: number | string): Promise<string> {
  return basename(await readlink(`/proc/${pid}/exe`).catch(() => ''));
}
