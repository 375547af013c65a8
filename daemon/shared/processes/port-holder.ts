import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';
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
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFile(file, 'latin1').catch(() => '')),
  );
  const sockets = new Set(tables.flatMap((table) => listeningSockets(table, port)));
  if (sockets.size === 0) return null;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const holders = await Promise.all(pids.map((pid) => holdsOneOf(pid, sockets)));
  const pid = pids.find((_, index) => holders[index]);
  if (pid === undefined) return null;
  // Not `comm`: programs such as Node rename their threads.
  return { pid: Number(pid), name: basename(await readlink(`/proc/${pid}/exe`).catch(() => '')) };
}

/** The inodes of the sockets that listen on a port, from a table of proc_net_tcp(5). */
export function listeningSockets(table: string, port: number): string[] {
  const LISTEN = '0A';
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return table.split('\n').flatMap((line) => {
    const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
    return state === LISTEN && local?.endsWith(end) && inode ? [inode] : [];
  });
}

async function holdsOneOf(pid: string, sockets: ReadonlySet<string>): Promise<boolean> {
  const handles = await readdir(`/proc/${pid}/fd`).catch(() => []); // unreadable for another user's process
  const targets = await Promise.all(handles.map((handle) => readlink(`/proc/${pid}/fd/${handle}`).catch(() => '')));
  return targets.some((target) => sockets.has(/^socket:\[(\d+)\]$/.exec(target)?.[1] ?? ''));
}
